import { fileURLToPath } from "node:url";
import { clock } from "../platform/clock.ts";
import type { Environment, LongProcess, StartLong } from "../platform/system.ts";
import type { DriverAnswer, DriverRequest } from "./driver/protocol.ts";

export interface BrowserDeps {
  startLong: StartLong;
  /** Wraps the driver in the sandbox; the identity without one. */
  wrap: (program: { file: string; args: readonly string[] }) => {
    file: string;
    args: readonly string[];
  };
  isSandboxed: boolean;
  root: string;
  env: Environment;
  executable: string;
  signal: AbortSignal;
}

type Succeeded = Extract<DriverAnswer, { ok: true }>;
export type BrowserAnswer =
  | Succeeded
  /** The browser refused, in its own words. */
  | { ok: false; message: string; isLost?: false }
  /** Driver or browser are gone, or did not answer in time; the next request starts new ones. */
  | { ok: false; message: string; isLost: true };

/** A browser in a process of its own, started by the first request. */
export interface BrowserClient extends AsyncDisposable {
  ask: (request: Exclude<DriverRequest, { do: "start" | "close" }>) => Promise<BrowserAnswer>;
}

const startMs = 30_000;
/** Added to a request's own limit before the driver counts as lost. */
const graceMs = 1000;
const pageMs = 10_000;
/** Enough for the driver's own errors. */
const keepBytes = 64 * 1024;

export function createBrowser(deps: BrowserDeps): BrowserClient {
  let line: Promise<DriverLine> | undefined;
  const lose = async () => {
    const lost = line;
    line = undefined;
    await (await lost)?.stop();
  };
  const ask = async (request: DriverRequest, limitMs: number): Promise<BrowserAnswer> => {
    line ??= startDriver(deps);
    const answer = await (await line).ask(request, limitMs + graceMs);
    if (!answer.ok && answer.isLost) await lose();
    return answer;
  };
  return {
    ask: async (request) => {
      if (!line) {
        const { executable, isSandboxed } = deps;
        const started = await ask({ do: "start", executable, isSandboxed }, startMs);
        if (!started.ok)
          return {
            ok: false,
            message: `the browser did not start: ${started.message}`,
            isLost: true,
          };
      }
      return ask(request, "timeoutMs" in request ? request.timeoutMs : pageMs);
    },
    [Symbol.asyncDispose]: async () => {
      // A browser that closes itself removes its profile.
      if (line) await ask({ do: "close" }, 1000);
      await lose();
    },
  };
}

interface DriverLine {
  ask: (request: DriverRequest, limitMs: number) => Promise<BrowserAnswer>;
  stop: () => Promise<unknown>;
}

async function startDriver(deps: BrowserDeps): Promise<DriverLine> {
  const waiting = new Map<number, (answer: BrowserAnswer) => void>();
  const program = await deps.startLong({
    ...deps.wrap({ file: process.execPath, args: [driverFile()] }),
    cwd: deps.root,
    // The sandbox has a temporary folder of its own.
    env: { ...deps.env, ...(deps.isSandboxed && { HOME: "/tmp" }) },
    keepBytes,
    onOutput: readLines((answer) => waiting.get(answer.id)?.(answer)),
  });
  if (program.kind === "not-started") return broken(program.message);
  const endAll = (message: string) => {
    for (const settle of waiting.values()) settle({ ok: false, message, isLost: true });
  };
  void program.exited.then(() => endAll(`the browser ended: ${lastWords(program)}`));
  const cancelled = () => endAll("cancelled");
  deps.signal.addEventListener("abort", cancelled, { once: true });
  let next = 0;
  return {
    ask: async (request, limitMs) => {
      const id = next++;
      const { promise, resolve } = Promise.withResolvers<BrowserAnswer>();
      waiting.set(id, resolve);
      program.write(`${JSON.stringify({ id, ...request })}\n`);
      const late = new AbortController();
      void clock
        .sleep(limitMs, late.signal)
        .then(() =>
          resolve({ ok: false, message: `no answer after ${limitMs / 1000} s`, isLost: true }),
        );
      if (!program.isAlive()) endAll(`the browser ended: ${lastWords(program)}`);
      const answer = await promise;
      late.abort("answered");
      waiting.delete(id);
      return answer;
    },
    stop: () => {
      deps.signal.removeEventListener("abort", cancelled);
      return program.stop();
    },
  };
}

const broken = (message: string): DriverLine => ({
  ask: async () => ({ ok: false, message, isLost: true }),
  stop: async () => {},
});

const lastWords = (program: LongProcess) =>
  program.output().text.trim().split("\n").slice(-3).join(" | ").slice(0, 500) || "no reason given";

/** Its bytes are valid only during the call, so they are copied into text at once. */
function readLines(take: (answer: DriverAnswer) => void): (chunk: Buffer) => void {
  let pending = "";
  const decoder = new TextDecoder();
  return (chunk) => {
    const lines = `${pending}${decoder.decode(chunk, { stream: true })}`.split("\n");
    pending = lines.pop() ?? "";
    for (const line of lines) {
      const answer = parseAnswer(line);
      if (answer) take(answer);
    }
  };
}

/** Undefined for anything else a program under it has printed. */
function parseAnswer(line: string): DriverAnswer | undefined {
  try {
    const answer: unknown = JSON.parse(line);
    return typeof answer === "object" && answer !== null && "id" in answer
      ? (answer as DriverAnswer)
      : undefined;
  } catch {
    return undefined;
  }
}

/** The driver always runs from the build: as one file it can be read inside the sandbox. */
function driverFile(): string {
  const isSource = import.meta.url.endsWith(".ts");
  return fileURLToPath(
    isSource
      ? new URL("../../dist/browser.cjs", import.meta.url)
      : new URL(import.meta.url.replace(/(?:\/parts)?\/[^/]*$/, "/browser.cjs")),
  );
}
