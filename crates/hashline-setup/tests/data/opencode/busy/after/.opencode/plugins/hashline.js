// Stands in until the plugin is there.
const HASHLINE = "hashline";
const DIALECT = "";
export const Hashline = async () => ({});
