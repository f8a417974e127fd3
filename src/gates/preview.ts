/** Most lines of the beginning and of the end each (compatibility 1.11). */
const lineLimit = 50;
/** Most bytes of each end; with the notice between them a preview stays below 8 KiB. */
const byteLimit = 4000;

/** The beginning and the end of a program's output, short enough for a prompt; counts the omitted lines. */
export function preview(lines: readonly string[]): string {
  const head = fitting(lines.slice(0, lineLimit));
  const rest = lines.slice(head.length);
  const tail = fitting(rest.slice(-lineLimit).reverse()).reverse();
  const left = rest.length - tail.length;
  const notice = left > 0 ? [`[... ${left} lines left out ...]`] : [];
  return [...head, ...notice, ...tail].join("\n").trim();
}

/** The first lines that fit; a first line that is too long is cut. */
function fitting(lines: readonly string[]): string[] {
  const taken: string[] = [];
  let room = byteLimit;
  for (const line of lines) {
    const size = Buffer.byteLength(line) + 1;
    if (size > room && taken.length > 0) break;
    taken.push(size > room ? cut(line) : line);
    room -= size;
  }
  return taken;
}

/** A UTF-16 unit takes at most three bytes. */
function cut(line: string): string {
  return `${line.slice(0, byteLimit / 3 - 10).toWellFormed()} [...]`;
}
