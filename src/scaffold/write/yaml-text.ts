/** Words YAML reads as something other than text. */
const reserved = /^(?:true|false|null|yes|no|on|off|\.inf|\.nan|\.\d.*)$/i;
const plain = /^[A-Za-z./][\w ./@+=-]*(?<! )$/;

/** A text as one YAML scalar on one line: bare where nothing can be misread, else in double quotes. */
export function yamlText(text: string): string {
  return plain.test(text) && !reserved.test(text) ? text : JSON.stringify(text);
}
