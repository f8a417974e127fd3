/**
 * Why nothing was started, when an `exited` result means that bubblewrap failed: the program is missing or a mount
 * failed. Undefined when the program itself ran. A program that prints the same line only changes the message of its own
 * failure.
 */
export function readStartFailure(result: { code: number; stderr: string }): string | undefined {
  if (result.code !== 1) return undefined;
  const [first = "", ...rest] = result.stderr.trim().split("\n");
  return rest.length === 0 && first.startsWith("bwrap: ")
    ? first.slice("bwrap: ".length)
    : undefined;
}
