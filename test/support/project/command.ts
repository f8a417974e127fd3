import { type ChildProcess, spawn } from "node:child_process";
import { text } from "node:stream/consumers";
import type { Environment } from "../../../src/platform/system.ts";
import { bundle } from "./bundle.ts";
import { compileCache } from "./compile-cache.ts";
import type { Ended } from "./project.ts";

export interface CommandPlace {
  cwd: string;
  env: Environment;
  /** What it reads; default: nothing. */
  input?: string;
  /** Shell lines that come first, in a mount namespace of their own: a full or read-only disk. */
  mounts?: string;
  /** Whether the network is their own too: nothing but a loopback interface, which is down. */
  isOffline?: boolean;
}

/** `ralph ARGS` as a process of its own, as a person starts it. */
export async function startCommand(place: CommandPlace, args: string[]): Promise<ChildProcess> {
  const { cwd, env, input, mounts, isOffline } = place;
  const started = [process.execPath, await bundle("main"), ...args];
  const script = `${mounts}\nexec "$@"`;
  const [file = "", ...rest] =
    mounts === undefined
      ? started
      : ["unshare", isOffline ? "-mn" : "-m", "sh", "-ec", script, "sh", ...started];
  const child = spawn(file, rest, {
    cwd,
    env: { ...compileCache, ...env },
    stdio: [input === undefined ? "ignore" : "pipe", "pipe", "pipe"],
  });
  child.stdin?.end(input);
  return child;
}

export async function runCommand(place: CommandPlace, args: string[]): Promise<Ended> {
  return endOf(await startCommand(place, args));
}

/** What a process has said when it ends. */
export async function endOf(child: ChildProcess): Promise<Ended> {
  const exit = new Promise<number>((resolve) => child.once("exit", (code) => resolve(code ?? -1)));
  const read = (stream: ChildProcess["stdout"]) => (stream ? text(stream) : Promise.resolve(""));
  const [stdout, stderr] = [read(child.stdout), read(child.stderr)];
  return { exitCode: await exit, stdout: await stdout, stderr: await stderr };
}
