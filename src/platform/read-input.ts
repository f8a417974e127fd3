/** More is no event of a program. */
const maxLength = 1024 * 1024;

/** What whoever started this process writes to its standard input, to its end; nothing from a terminal. */
export async function readInput(): Promise<string> {
  if (process.stdin.isTTY) return "";
  let text = "";
  for await (const chunk of process.stdin) {
    text += String(chunk);
    if (text.length > maxLength) break;
  }
  return text.slice(0, maxLength);
}
