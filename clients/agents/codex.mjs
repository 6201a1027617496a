export const codex = { name: 'codex' };
