export const pi = { name: 'pi' };
