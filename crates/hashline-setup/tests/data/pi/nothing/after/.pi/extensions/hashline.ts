// Stands in until the extension is there.
const HASHLINE = "hashline";
const DIALECT = "";
export default () => {};
