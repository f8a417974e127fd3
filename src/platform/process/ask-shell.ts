import type { Ask } from "../system.ts";
import { type Shell, startShell } from "./start-shell.ts";

export type BoundedCommand = Parameters<Ask>[0] & { maxBytes: number };

/** Input is part of the script; a larger one needs a separate pipe. */
const maxInputBytes = 16 * 1024;

/** Variables without a special meaning to the shell. */
const plainName = /^(?:PATH|LC_ALL|GIT_[A-Z0-9_]+)$/;

let shell: Shell | undefined;

/** Whether `askShell` can run a command now: one at a time, with only plain variables and little input. */
export function canAskShell({ file, args, cwd, env, input = "" }: BoundedCommand): boolean {
  if (shell?.state === "busy" || env.PATH === undefined || input.length > maxInputBytes)
    return false;
  const isPlain = Object.keys(env).every((name) => plainName.test(name));
  // NUL is impossible in an argument and in a script.
  const isText = ![file, cwd, ...args, ...Object.values(env)].some((text) => text?.includes("\0"));
  return isPlain && isText;
}

/**
 * Runs the program from a small shell, which is kept for the next one: starting a process from a large one costs more time
 * than most git commands.
 */
export async function askShell(command: BoundedCommand): ReturnType<Ask> {
  if (shell?.state !== "ready") shell = startShell();
  const { exitCode, stdout, stderr } = await shell.run(scriptOf(command), command);
  const said = stderr.toString();
  if (exitCode !== undefined) return { exitCode, stdout, stderr: said };
  const { file, maxBytes } = command;
  const isTooMuch = Math.max(stdout.length, stderr.length) >= maxBytes;
  const reason = isTooMuch ? `its output is larger than ${maxBytes} bytes` : "it was ended";
  return { exitCode: 1, stdout, stderr: `${said}${file}: ${reason}\n` };
}

/** A truncated script is not a complete command, so a kill cannot run half of it. */
function scriptOf(command: BoundedCommand): string {
  const { cwd, env, input } = command;
  const given = Object.entries(env).filter(([, value]) => value !== undefined);
  const variables = given.map(([name, value]) => `${name}=${quote(value ?? "")}`).join(" ");
  const run = `cd ${quote(cwd)} || exit 127; export ${variables}; ${programOf(command)}`;
  return input === undefined
    ? `(exec </dev/null; ${run})`
    : `printf '${toFormat(Buffer.from(input))}' | (${run})`;
}

/** A script for `sh` needs no second shell. */
function programOf({ file, args }: BoundedCommand): string {
  const [options, script, , ...values] = args;
  if (file === "sh" && options === "-ec" && script !== undefined)
    return `set -e -- ${values.map(quote).join(" ")}\n${script}\n`;
  return `exec ${[file, ...args].map(quote).join(" ")}`;
}

const quote = (text: string) => `'${text.replaceAll("'", "'\\''")}'`;

/** Any bytes, as the first argument of `printf`. */
function toFormat(bytes: Buffer): string {
  return bytes
    .toString("latin1")
    .replace(/[^\w /.,:+]/g, (char) => `\\${char.charCodeAt(0).toString(8).padStart(3, "0")}`);
}
