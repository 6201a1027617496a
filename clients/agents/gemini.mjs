export const gemini = { name: 'gemini' };
