export const Mine = async () => ({});
