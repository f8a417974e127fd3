import { execFileSync, spawn } from "node:child_process";
import {
  closeSync,
  mkdtempSync,
  openSync,
  readFileSync,
  readSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Environment } from "../../../src/platform/system.ts";

export interface SmallCommand {
  cwd: string;
  /** All it gets; their names are those a shell can export. Without a value they are left out. */
  env: Environment;
  /** What it reads; default: nothing. */
  input?: string | Buffer;
}

export interface SmallAnswer {
  exitCode: number;
  stdout: Buffer;
  stderr: Buffer;
}

/** A shell that waits for scripts: its folder, and the two pipes to it. */
interface Shell {
  folder: string;
  scripts: number;
  codes: number;
}

let shell: Shell | undefined;

/**
 * Runs a program and waits for it, as `spawnSync` does, but from a small shell that is kept: a test process has hundreds of
 * megabytes, and copying the tables of its memory for each new process takes longer than most git commands.
 */
export function runSmall(command: readonly string[], place: SmallCommand): SmallAnswer {
  shell ??= startShell();
  const { folder, scripts, codes } = shell;
  writeFileSync(join(folder, "input"), place.input ?? "");
  writeSync(scripts, `${scriptOf(command, place)}\n`);
  const buffer = Buffer.alloc(16);
  const length = readSync(codes, buffer);
  if (length === 0) {
    for (const pipe of [scripts, codes]) closeSync(pipe);
    shell = undefined;
    throw new Error("The shell that starts programs for tests was ended.");
  }
  const [stdout, stderr] = ["output", "errors"].map((name) => readFileSync(join(folder, name)));
  const none = Buffer.alloc(0);
  return {
    exitCode: Number(buffer.toString("utf8", 0, length)),
    stdout: stdout ?? none,
    stderr: stderr ?? none,
  };
}

/** `runSmall` for git; answers trimmed stdout. */
export const smallGit = (args: readonly string[], place: SmallCommand): string =>
  askGit(args, place).toString().trim();

/** `runSmall` for git; throws with what git says when it fails. */
export function askGit(args: readonly string[], place: SmallCommand): Buffer {
  const { exitCode, stdout, stderr } = runSmall(["git", ...args], place);
  if (exitCode === 0) return stdout;
  const message = `Command failed: git ${args.join(" ")}\n${stderr}`;
  throw Object.assign(new Error(message), { status: exitCode, stdout, stderr });
}

/** It ends with this process, which holds the other end of its input. */
function startShell(): Shell {
  const folder = mkdtempSync(join(tmpdir(), "ralph-shell-"));
  const [scripts = "", codes = ""] = ["scripts", "codes"].map((name) => join(folder, name));
  execFileSync("mkfifo", [scripts, codes]);
  const args = ["-c", 'cd "$0"; exec /bin/sh <scripts 3>codes', folder];
  const env = { PATH: process.env.PATH };
  // In a session of its own, so that Ctrl-C does not interrupt a git command.
  spawn("/bin/sh", args, { env, stdio: "ignore", detached: true }).unref();
  // Each waits until the shell has opened its end.
  return { folder, scripts: openSync(scripts, "w"), codes: openSync(codes, "r") };
}

function scriptOf(command: readonly string[], { cwd, env }: SmallCommand): string {
  const { PATH, ...others } = env;
  const variables = Object.entries({ PATH, ...others }).flatMap(([name, value]) =>
    value === undefined ? [] : [`${name}=${quote(value)}`],
  );
  const run = `cd ${quote(cwd)} && unset OLDPWD && export ${variables.join(" ")} && exec ${command.map(quote).join(" ")}`;
  return `(${run}) <input >output 2>errors 3>&-; echo $? >&3`;
}

const quote = (text: string) => `'${text.replaceAll("'", "'\\''")}'`;
