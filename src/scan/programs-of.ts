const first = /^\s*(?:[A-Za-z_]\w*=[^\s'"`$]*\s+)*([A-Za-z0-9_][\w.+-]*)(?=\s|$)/;
/** Text in which a separator may be something else. */
const isQuoted = /['"`\\$(){}#]|<</;

/**
 * The programs a shell command begins with, as far as they can be told without being a shell: in plain text the
 * first word of every part, else that of the first. Paths are left out: a step before may make them.
 */
export function programsOf(command: string): string[] {
  const parts = isQuoted.test(command) ? [command] : command.split(/&&|\|\||[;|&\n]/);
  return [...new Set(parts.flatMap((part) => first.exec(part)?.[1] ?? []))];
}
