import { visible } from "../error.ts";

/**
 * One line on the error output for programs that use us as a library: failures always, the rest with `RALPH_DEBUG=1`.
 */
export function logLine(message: string, fields: Record<string, unknown>, isFailure = false): void {
  if (!isFailure && process.env.RALPH_DEBUG !== "1") return;
  process.stderr.write(`ralph: ${visible(`${message} ${JSON.stringify(fields)}`)}\n`);
}

/** Where a program's own files of its user lie. */
export const homeFolder = (): string => process.env.HOME || "";

/** Whether this is a job of a CI service, whose home folder belongs to nobody. */
export const isCi = (): boolean => ![undefined, "", "false", "0"].includes(process.env.CI);

/** ISO 8601, UTC. */
export const isoNow = (): string => new Date().toISOString();
