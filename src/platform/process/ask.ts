import { constants } from "node:os";
import type { Ask } from "../system.ts";
import { askShell, type BoundedCommand, canAskShell } from "./ask-shell.ts";

const defaultMaxBytes = 256 * 1024 * 1024;

/**
 * Runs a trusted program in its own session, so that Ctrl-C in a terminal reaches ralph and does not interrupt a git
 * command. Exit 127 when it cannot be started, 128 + the number of the signal that ended it, 1 when it prints more than
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

function viewAsBuffer(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
