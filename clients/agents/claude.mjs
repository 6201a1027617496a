export const claude = { name: 'claude' };
