/** The text of a .gitignore with the entries it lacks added at its end; undefined when it has them all. Pure. */
export function extendGitignore(
  text: string,
  entries: readonly string[],
  inherited = "",
): string | undefined {
  const known = new Set(`${text}\n${inherited}`.split(/\r?\n/).map(normalise));
  const missing = entries.filter((entry) => !known.has(normalise(entry)));
  if (missing.length === 0) return undefined;
  const end = text.includes("\r\n") ? "\r\n" : "\n";
  const gap = text === "" ? "" : text.endsWith("\n") ? end : `${end}${end}`;
  return text + gap + ["# ralph", ...missing].map((line) => `${line}${end}`).join("");
}

/** `/name`, `name/` and `**` before it ignore the same folder of the root. */
const normalise = (line: string) =>
  line
    .trim()
    .replace(/^(?:\*\*)?\//, "")
    .replace(/\/$/, "");
