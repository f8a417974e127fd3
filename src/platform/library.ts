import { visible } from "../error.ts";

/**
 * Logs one line on the error output for programs that use ralph as a library: failures always, the rest with `RALPH_DEBUG=1`.
 */
export function logLine(message: string, fields: Record<string, unknown>, isFailure = false): void {
  if (!isFailure && process.env.RALPH_DEBUG !== "1") return;
  process.stderr.write(`ralph: ${visible(`${message} ${JSON.stringify(fields)}`)}\n`);
}

/** The user's home folder. */
export const homeFolder = (): string => process.env.HOME || "";

/** Whether this is a CI job, whose home folder is not a person's. */
export const isCi = (): boolean => ![undefined, "", "false", "0"].includes(process.env.CI);

/** ISO 8601, UTC. */
export const isoNow = (): string => new Date().toISOString();
