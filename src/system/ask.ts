import { spawn } from "node:child_process";
import { once } from "node:events";
import { constants } from "node:os";
import type { Readable } from "node:stream";
import { hasCode } from "./file-error.ts";
import type { Ask } from "./system.ts";

const defaultMaxBytes = 256 * 1024 * 1024;

/**
 * Runs a trusted program in its own session, so that Ctrl-C in a terminal reaches us and not a git command
 * half-way through. A program that cannot be started is exit 127, one ended by a signal 128 + its number,
 * one that says more than `maxBytes` exit 1; `stderr` then says so too. Node's own `spawn`: a task asks git a
 * dozen times, and what a library adds to each call was a third of it.
 */
export const ask: Ask = async (question) => {
  try {
    return await run(question);
  } catch (error) {
    if (!hasCode(error)) throw error;
    return { exitCode: 127, stdout: Buffer.alloc(0), stderr: `${error.message}\n` };
  }
};

async function run({
  file,
  args,
  cwd,
  env,
  input,
  maxBytes = defaultMaxBytes,
}: Parameters<Ask>[0]) {
  const stdin = input === undefined ? "ignore" : "pipe";
  const child = spawn(file, args, { cwd, env, detached: true, stdio: [stdin, "pipe", "pipe"] });
  const limits = { maxBytes, onTooMuch: () => child.kill() };
  const [stdout, stderr] = [collect(child.stdout, limits), collect(child.stderr, limits)];
  // A program that ends before it has read its input is no error of ours (EPIPE).
  child.stdin?.on("error", () => undefined).end(input);
  const [code, signal] = (await once(child, "close")) as [number | null, NodeJS.Signals | null];
  const isTooMuch = stdout.isCut() || stderr.isCut();
  const { exitCode, because } = isTooMuch ? tooMuch(maxBytes) : nameExit(code, signal);
  return {
    exitCode,
    stdout: stdout.bytes(),
    stderr: `${stderr.bytes()}${because === undefined ? "" : `${because}\n`}`,
  };
}

type Exit = { exitCode: number; because?: string };

const tooMuch = (maxBytes: number): Exit => ({
  exitCode: 1,
  because: `The output is larger than ${maxBytes} bytes.`,
});

function nameExit(code: number | null, signal: NodeJS.Signals | null): Exit {
  if (signal === null) return { exitCode: code ?? 0 };
  return { exitCode: 128 + constants.signals[signal], because: `It was ended by ${signal}.` };
}

/** The whole output, up to a limit that ends the program. */
function collect(
  stream: Readable | null,
  { maxBytes, onTooMuch }: { maxBytes: number; onTooMuch: () => void },
) {
  const chunks: Buffer[] = [];
  let seen = 0;
  stream?.on("data", (chunk: Buffer) => {
    const room = maxBytes - seen;
    seen += chunk.length;
    if (room > 0) chunks.push(chunk.subarray(0, room));
    if (seen > maxBytes) onTooMuch();
  });
  return { isCut: () => seen > maxBytes, bytes: () => Buffer.concat(chunks) };
}
