export const claudePlugin = { name: 'claude-plugin' };
