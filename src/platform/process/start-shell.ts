import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import type { Readable } from "node:stream";
import { sendSignal } from "./process-table.ts";

/** A small shell that runs one script after the other. */
export interface Shell {
  /** A lost shell stays lost. */
  readonly state: "ready" | "busy" | "lost";
  /** Runs a script and answers its exit code. Without one the shell is lost: ended, or its output is too large. */
  run: (script: string, options: { maxBytes: number }) => Promise<ShellAnswer>;
}

type ShellAnswer = { exitCode: number | undefined; stdout: Buffer; stderr: Buffer };

/** It keeps no process alive while it waits, and ends when its input does, with ralph. */
export function startShell(): Shell {
  const env = { PATH: process.env.PATH };
  // Unix systems have it there, whatever PATH holds.
  const child = spawn("/bin/sh", [], { cwd: "/", env, detached: true, stdio: "pipe" });
  let state: Shell["state"] = "ready";
  const lose = () => {
    state = "lost";
  };
  // Every failure of the shell ends its outputs.
  for (const emitter of [child, child.stdin]) emitter.on("error", lose);
  for (const stream of [child.stdout, child.stderr]) stream.once("close", lose);
  hold(child, "unref");
  return {
    get state() {
      return state;
    },
    run: async (script, { maxBytes }) => {
      state = "busy";
      hold(child, "ref");
      const mark = randomBytes(16).toString("hex");
      const outputs = [child.stdout, child.stderr].map(async (stream) => {
        const output = await readTo(stream, { mark, maxBytes });
        if (output.code === undefined) end(child);
        return output;
      });
      child.stdin.write(`${script}\n${printMark(mark)}\n`);
      const [out = nothing, err = nothing] = await Promise.all(outputs);
      hold(child, "unref");
      const exitCode = err.code === undefined ? undefined : out.code;
      if (exitCode === undefined) lose();
      else if (state === "busy") state = "ready";
      return { exitCode, stdout: out.bytes, stderr: err.bytes };
    },
  };
}

/** Ends the shell and its program. The id of an ended shell may belong to another process. */
function end({ pid, exitCode, signalCode }: ChildProcessWithoutNullStreams): void {
  if (pid !== undefined && exitCode === null && signalCode === null) sendSignal(-pid, "SIGTERM");
}

type Holder = { ref: () => unknown; unref: () => unknown };

/** Whether this process stays alive while the program runs. */
export function hold(child: ChildProcessWithoutNullStreams, how: keyof Holder): void {
  const streams = [child.stdin, child.stdout, child.stderr] as unknown as Holder[];
  for (const holder of [child, ...streams]) holder[how]();
}

/** The exit code in three digits and an unguessable mark end both outputs. */
const printMark = (mark: string) =>
  `code=$?; printf '%03d${mark}' $code; printf '%03d${mark}' $code >&2`;
const codeLength = 3;

type Output = { bytes: Buffer; code: number | undefined };
const nothing: Output = { bytes: Buffer.of(), code: undefined };

/** `code` is undefined when the output exceeds `maxBytes` or ends before the mark. */
function readTo(stream: Readable, { mark, maxBytes }: { mark: string; maxBytes: number }) {
  const { promise, resolve } = Promise.withResolvers<Output>();
  const endLength = codeLength + mark.length;
  const chunks: Buffer[] = [];
  let size = -endLength;
  let tail = Buffer.of();
  const settle = (code: number | undefined) => {
    stream.off("data", take).off("close", onClose);
    const bytes = Buffer.concat(chunks);
    resolve({ code, bytes: bytes.subarray(0, code === undefined ? maxBytes : size) });
  };
  const onClose = () => settle(undefined);
  const take = (chunk: Buffer) => {
    chunks.push(chunk);
    size += chunk.length;
    tail = Buffer.concat([tail, chunk]).subarray(-endLength);
    const isWhole = tail.subarray(codeLength).toString("latin1") === mark;
    if (size > maxBytes) settle(undefined);
    else if (isWhole) settle(Number(tail.toString("latin1", 0, codeLength)));
  };
  stream.on("data", take).on("close", onClose);
  return promise;
}
