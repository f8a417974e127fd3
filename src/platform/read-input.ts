/** Limit for an event (characters). */
const maxLength = 1024 * 1024;

/** The whole standard input; empty for a terminal. */
export async function readInput(): Promise<string> {
  if (process.stdin.isTTY) return "";
  let text = "";
  for await (const chunk of process.stdin) {
    text += String(chunk);
    if (text.length > maxLength) break;
  }
  return text.slice(0, maxLength);
}
