import { type ChildProcess, spawn } from "node:child_process";
import type { Readable } from "node:stream";
import { setTimeout as sleep } from "node:timers/promises";
import type { Patience, Texts } from "./model.ts";

export interface ProcessCommand {
  file: string;
  args: string[];
  cwd: string;
  env: Texts;
  onLine(line: string): void;
  /** Told to stop by this one. */
  signal: AbortSignal;
  patience: Patience;
}

/** Runs a step's entry process to its end; answers its exit code, 128 and more for a signal. */
export async function runProcess(command: ProcessCommand): Promise<number> {
  const { file, args, cwd, env, onLine, signal, patience } = command;
  const child = spawn(file, args, { cwd, env, stdio: ["ignore", "pipe", "pipe"] });
  const flush = [child.stdout, child.stderr].map((stream) => readLines(stream, onLine));
  const ended = endOf(child, patience.drainMs);
  const stop = () => void stopProcess(child, ended, patience);
  signal.addEventListener("abort", stop);
  if (signal.aborted) stop();
  try {
    return await ended;
  } finally {
    signal.removeEventListener("abort", stop);
    for (const rest of flush) rest();
  }
}

/** Ended means: the entry process is gone and its output closed, or left open for too long by others. */
function endOf(child: ChildProcess, drainMs: number): Promise<number> {
  return new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("exit", (code) => {
      const timer = setTimeout(() => resolve(code ?? 130), drainMs);
      child.once("close", () => {
        clearTimeout(timer);
        resolve(code ?? 130);
      });
    });
  });
}

/** A runner signals the entry process only, never its children. */
async function stopProcess(child: ChildProcess, ended: Promise<number>, patience: Patience) {
  const over = ended.then(
    () => true,
    () => true,
  );
  child.kill("SIGINT");
  if (await Promise.race([over, sleep(patience.interruptMs, false, { ref: false })])) return;
  child.kill("SIGTERM");
  if (await Promise.race([over, sleep(patience.terminateMs, false, { ref: false })])) return;
  child.kill("SIGKILL");
}

/** Lines end at `\n`, `\r` and `\r\n`. Answers a function that hands over an unfinished last line. */
function readLines(stream: Readable, onLine: (line: string) => void): () => void {
  let rest = "";
  stream.setEncoding("utf8");
  stream.on("data", (chunk: string) => {
    const lines = (rest + chunk).split(/\r\n|\n|\r(?!$)/);
    rest = lines.pop() ?? "";
    for (const line of lines) onLine(line);
  });
  return () => {
    stream.removeAllListeners("data");
    if (rest !== "") onLine(rest.replace(/\r$/, ""));
  };
}
