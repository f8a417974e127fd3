import { constants } from "node:os";
import type { Ask } from "../system.ts";
import { type Shell, startShell } from "./start-shell.ts";

const defaultMaxBytes = 256 * 1024 * 1024;

/**
 * Runs a trusted program in its own session, so that Ctrl-C in a terminal reaches ralph and does not interrupt a git
 * command. Exit 126 or 127 when it cannot be started, 128 + the number of the signal that ended it, 1 when it prints more than
 * `maxBytes`; `stderr` then names the reason.
 */
export const ask: Ask = (command) => {
  const bounded = { ...command, maxBytes: command.maxBytes ?? defaultMaxBytes };
  return canAskShell(bounded) ? askShell(bounded) : askDirectly(bounded);
};

async function askDirectly(command: BoundedCommand): ReturnType<Ask> {
  const { file, args, cwd, env, input, maxBytes } = command;
  // Loaded on first use: commands that start no program stay fast.
  const { execa } = await import("execa");
  const result = await execa(file, args, {
    cwd,
    env,
    extendEnv: false,
    ...(input === undefined ? { stdin: "ignore" } : { input }),
    encoding: "buffer",
    maxBuffer: maxBytes,
    reject: false,
    detached: true,
    stripFinalNewline: false,
  });
  const stdout = viewAsBuffer(result.stdout);
  const stderr = viewAsBuffer(result.stderr).toString();
  const exitCode = nameExit(result);
  if (exitCode === result.exitCode) return { exitCode, stdout, stderr };
  return { exitCode, stdout, stderr: `${stderr}${result.shortMessage}\n` };
}

type Exit = { exitCode?: number; signal?: NodeJS.Signals; isMaxBuffer: boolean };

function nameExit({ exitCode, signal, isMaxBuffer }: Exit): number {
  if (isMaxBuffer) return 1;
  if (exitCode !== undefined) return exitCode;
  return signal === undefined ? 127 : 128 + constants.signals[signal];
}

const viewAsBuffer = (bytes: Uint8Array): Buffer =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);

type BoundedCommand = Parameters<Ask>[0] & { maxBytes: number };

/** Input is part of the script; a larger one needs a separate pipe. */
const maxInputBytes = 16 * 1024;

/** Variables that each shell sets itself. */
const ofShells = /^(?:_|OLDPWD|PWD|SHLVL)$/;

/** Variables with a meaning to one of the shells that `sh` may be, or that it cannot set. */
const special =
  /^(?:BASH.*|CDPATH|DIRSTACK|ENV|E?UID|FUNCNAME|GROUPS|IFS|LINENO|OPT.*|PIPESTATUS|POSIXLY_CORRECT|PPID|PS\d|RANDOM|REPLY|SECONDS|SHELLOPTS|.*\W.*|\d.*)$/s;

/** Enough for the questions of one task at a time, and a few more. */
const maxShells = 4;

let shells: Shell[] = [];

/** Whether `askShell` can run a command now: without special variables and with little input, while a shell is free. */
function canAskShell({ file, args, cwd, env, input = "" }: BoundedCommand): boolean {
  const areBusy = shells.filter(({ state }) => state === "busy").length === maxShells;
  if (areBusy || env.PATH === undefined || input.length > maxInputBytes) return false;
  const isPlain = !Object.keys(env).some((name) => special.test(name));
  // NUL is impossible in an argument and in a script.
  const isText = ![file, cwd, ...args, ...Object.values(env)].some((text) => text?.includes("\0"));
  return isPlain && isText;
}

/**
 * Runs the program from a small shell that is free, and keeps it for the next one: starting a process from a large one
 * costs more time than most git commands.
 */
async function askShell(command: BoundedCommand): ReturnType<Ask> {
  const shell = shells.find(({ state }) => state === "ready") ?? addShell();
  const { exitCode, stdout, stderr } = await shell.run(scriptOf(command), command);
  const said = stderr.toString();
  if (exitCode !== undefined) return { exitCode, stdout, stderr: said };
  const { file, maxBytes } = command;
  const isTooMuch = Math.max(stdout.length, stderr.length) >= maxBytes;
  const reason = isTooMuch ? `its output is larger than ${maxBytes} bytes` : "it was ended";
  return { exitCode: 1, stdout, stderr: `${said}${file}: ${reason}\n` };
}

function addShell(): Shell {
  const shell = startShell();
  shells = [...shells.filter(({ state }) => state !== "lost"), shell];
  return shell;
}

/** A truncated script is not a complete command, so a kill cannot run half of it. */
function scriptOf(command: BoundedCommand): string {
  const { cwd, env, input } = command;
  const given = Object.entries(env).filter(
    ([name, value]) => value !== undefined && !ofShells.test(name),
  );
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
const toFormat = (bytes: Buffer): string =>
  bytes
    .toString("latin1")
    .replace(/[^\w /.,:+]/g, (char) => `\\${char.charCodeAt(0).toString(8).padStart(3, "0")}`);
