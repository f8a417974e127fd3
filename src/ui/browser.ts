import { fileURLToPath } from "node:url";
import { clock } from "../platform/clock.ts";
import { createScratchName, sweepTemporaryFiles } from "../platform/fs/temporary-file.ts";
import { userFolder } from "../platform/fs/visible-folder.ts";
import type { Environment, LongProcess, StartLong, System } from "../platform/system.ts";
import type { DriverAnswer, DriverRequest } from "./driver/protocol.ts";

export interface BrowserDeps {
  startLong: StartLong;
  files: System["files"];
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
  /** Whether the browser was lost because it ended by itself, and none was started since. */
  hasEnded: () => boolean;
  /** Whether a browser runs; its pages are lost with it. */
  isUp: () => boolean;
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
  let hasEnded = false;
  const ask = async (request: DriverRequest, limitMs: number): Promise<BrowserAnswer> => {
    line ??= startDriver(deps);
    const driver = await line;
    const answer = await driver.ask(request, limitMs + graceMs);
    const isLost = !answer.ok && answer.isLost === true;
    hasEnded = isLost && driver.hasEnded();
    if (isLost) await lose();
    return answer;
  };
  return {
    hasEnded: () => hasEnded,
    isUp: () => line !== undefined,
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
  hasEnded: () => boolean;
  ask: (request: DriverRequest, limitMs: number) => Promise<BrowserAnswer>;
  stop: () => Promise<unknown>;
}

async function startDriver(deps: BrowserDeps): Promise<DriverLine> {
  const waiting = new Map<number, (answer: BrowserAnswer) => void>();
  const temporary = await openTemporary(deps);
  const program = await deps.startLong({
    ...deps.wrap({ file: process.execPath, args: [driverFile()] }),
    cwd: deps.root,
    env: { ...deps.env, ...temporary.env },
    keepBytes,
    onOutput: readLines((answer) => waiting.get(answer.id)?.(answer)),
  });
  if (program.kind === "not-started") {
    await temporary.remove();
    return broken(program.message);
  }
  const endAll = (message: string) => {
    for (const settle of waiting.values()) settle({ ok: false, message, isLost: true });
  };
  let hasEnded = false;
  void program.exited.then(() => {
    hasEnded = true;
    endAll(`the browser ended: ${lastWords(program)}`);
  });
  const cancelled = () => endAll("cancelled");
  deps.signal.addEventListener("abort", cancelled, { once: true });
  let next = 0;
  return {
    hasEnded: () => hasEnded,
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
    stop: async () => {
      deps.signal.removeEventListener("abort", cancelled);
      await program.stop();
      await temporary.remove();
    },
  };
}

/**
 * Where the browser keeps its profile. The sandbox has a temporary folder of its own, which ends with it; without one, a
 * killed browser leaves its profile behind, and those of dead processes are removed here.
 */
async function openTemporary({ isSandboxed, files }: BrowserDeps) {
  const parent = isSandboxed ? undefined : userFolder();
  if (parent === undefined) {
    return { env: isSandboxed ? { HOME: "/tmp" } : {}, remove: async () => {} };
  }
  await sweepTemporaryFiles(files(parent), ".");
  const name = createScratchName();
  await files(parent).makeFolder(name);
  return { env: { TMPDIR: `${parent}/${name}` }, remove: () => files(parent).remove(name) };
}

const broken = (message: string): DriverLine => ({
  hasEnded: () => false,
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
