/** Longest part of a diff that one prompt shows, characters. */
export const maxDiff = 60_000;

/**
 * A diff in parts that each fit into a prompt, so that no reviewer misses its middle (T11, T46): whole files together where
 * they fit, else a file cut between lines, with its name repeated. Nothing is left out. Pure.
 */
export function splitDiff(diff: string, limit = maxDiff): string[] {
  if (diff.length <= limit) return [diff];
  const files = diff.split(/^(?=diff --git )/m).flatMap((file) => splitFile(file, limit));
  const parts: string[] = [];
  for (const piece of files) {
    const last = parts.at(-1);
    if (last !== undefined && last.length + piece.length <= limit)
      parts[parts.length - 1] = last + piece;
    else parts.push(piece);
  }
  return parts;
}

function splitFile(file: string, limit: number): string[] {
  if (file.length <= limit) return [file];
  const [name = ""] = file.split("\n", 1);
  const repeated = `${name.slice(0, limit / 4)} (continued)\n`;
  const pieces: string[] = [];
  for (let rest = file; rest !== ""; ) {
    const head = pieces.length === 0 ? "" : repeated;
    const end = endOfPiece(rest, limit - head.length);
    pieces.push(head + rest.slice(0, end));
    rest = rest.slice(end);
  }
  return pieces;
}

/** After the last whole line that fits; a longer line is cut where it must be. */
function endOfPiece(text: string, room: number): number {
  if (text.length <= room) return text.length;
  const end = text.lastIndexOf("\n", room - 1) + 1;
  return end > 0 ? end : room;
}
