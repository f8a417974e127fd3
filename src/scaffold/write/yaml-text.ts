/** Texts that YAML does not read as strings. */
const reserved = /^(?:true|false|null|yes|no|on|off|\.inf|\.nan|\.\d.*)$/i;
const plain = /^[A-Za-z./][\w ./@+=-]*(?<! )$/;

/** A text as one YAML scalar on one line, in double quotes if necessary. */
export const yamlText = (text: string): string =>
  plain.test(text) && !reserved.test(text) ? text : JSON.stringify(text);
