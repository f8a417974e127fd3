import { copyFile, link } from "node:fs/promises";
import { join } from "node:path";
import { toFileError } from "../../../src/platform/file-error.ts";
import { createTemporaryName } from "../../../src/platform/fs/temporary-file.ts";
import type {
  AppendFile,
  Ask,
  Files,
  StartLong,
  Supervise,
  System,
} from "../../../src/platform/system.ts";

/** `within` leaves what only half happened, such as half a line. `fails` ends nothing: this one effect meets an error. */
export type Moment = "before" | "within" | "after" | "fails";
/** The operation, counted from 1, around which the process ends itself. */
export type KillPoint = { at: number; how: Moment };

export type Killer = <Result>(effect: Effect<Result>) => Promise<Result>;
type Effect<Result> = {
  name: string;
  act: () => Promise<Result>;
  /** Does half of it; absent where there is no half. */
  half?: () => Promise<unknown>;
  /** Acts as it does on an error, the nth of its kinds; a file operation throws what `errors` names. */
  fail?: (nth: number) => Result | Promise<Result>;
};

type KillerOptions = {
  point: KillPoint | undefined;
  onEffect: (name: string) => void;
  /** The effect that has just met an error. */
  onError: (name: string) => void;
};

/** Counts effects on the outside world, and ends the process by SIGKILL at one of them (R1, F01). */
export function createKiller({ point, onEffect, onError }: KillerOptions): Killer {
  let count = 0;
  return async ({ name, act, half, fail = (nth) => throwError(name, nth) }) => {
    count += 1;
    onEffect(half ? `${name} (half)` : name);
    const how = point?.at === count ? point.how : undefined;
    if (how === "before") await die();
    if (how === "within") {
      await half?.();
      await die();
    }
    if (how === "fails") {
      onError(name);
      return fail(count);
    }
    const result = await act();
    if (how === "after") await die();
    return result;
  };
}

/** The real system, whose effects the killer counts. */
export const createCrashSystem = (system: System, killer: Killer): System => ({
  ...system,
  files: (root) => crashFiles(system.files(root), killer),
  ask: crashAsk(system, killer),
  supervise: crashSupervise(system, killer),
  startLong: crashStartLong(system, killer),
});

/** Errors of files (F04-F06). */
const errors = [
  ["ENOSPC", "no space left on device"],
  ["EIO", "i/o error"],
  ["EROFS", "read-only file system"],
  ["EACCES", "permission denied"],
  ["EMFILE", "too many open files"],
] as const;

/** As `platform` reports it. */
function throwError(name: string, nth: number): never {
  const [code, text] = errors[nth % errors.length] ?? errors[0];
  const error = Object.assign(new Error(`${code}: ${text}, write`), { code });
  throw toFileError(error, name.replace(/^\S+ /, ""), "written");
}

function die(): Promise<never> {
  process.kill(process.pid, "SIGKILL");
  return new Promise(() => {});
}

function crashFiles(files: Files, killer: Killer): Files {
  return {
    ...files,
    write: (path, content, options) =>
      killer({
        name: `write ${path}`,
        act: () => files.write(path, content, options),
        half: () => files.write(besides(path, createTemporaryName()), halfOf(content)),
      }),
    sync: (paths) => killer({ name: `sync ${paths[0]}`, act: () => files.sync(paths) }),
    copyLocked: (path, source) =>
      killer({
        name: `copy-locked ${path}`,
        act: () => files.copyLocked(path, source),
        half: () => halfLock(join(files.root, path), source),
      }),
    remove: (path) => killer({ name: `remove ${path}`, act: () => files.remove(path) }),
    makeFolder: (path) =>
      killer({ name: `make-folder ${path}`, act: () => files.makeFolder(path) }),
    openAppend: (path) =>
      killer({
        name: `open-append ${path}`,
        act: async () => crashAppend(path, await files.openAppend(path), killer),
      }),
  };
}

async function halfLock(path: string, source: string): Promise<void> {
  const draft = besides(path, createTemporaryName());
  await copyFile(source, draft);
  await link(draft, `${path}.lock`);
}

const besides = (path: string, name: string) => path.replace(/[^/]*$/, name);
const halfOf = (content: string | Buffer) => content.slice(0, Math.ceil(content.length / 2));

/** After a failure every later call fails the same way, as with the real file (F05). */
function crashAppend(path: string, file: AppendFile, killer: Killer): AppendFile {
  let failure: unknown;
  const guarded = async (effect: Effect<void>) => {
    if (failure !== undefined) throw failure;
    await killer(effect).catch((error) => {
      failure = error;
      throw error;
    });
  };
  return {
    append: (text) =>
      guarded({
        name: `append ${path}`,
        act: () => file.append(text),
        half: () => file.append(halfOf(text)),
      }),
    flush: () => guarded({ name: `flush ${path}`, act: () => file.flush() }),
    [Symbol.asyncDispose]: () => file[Symbol.asyncDispose](),
  };
}

function crashAsk({ ask, files, clock }: System, killer: Killer): Ask {
  return (command) =>
    killer({
      name: `ask ${command.file} ${wordsOf(command.args)}`,
      act: () => ask(command),
      fail: () => ({
        exitCode: 128,
        stdout: Buffer.alloc(0),
        stderr: "fatal: write error: No space left on device",
      }),
      half: async () => {
        const { GIT_DIR: own, GIT_INDEX_FILE: index } = command.env;
        // What a git that was killed with us leaves behind.
        if (own && !index && isIndexed(command.args)) await files(own).write("index.lock", "");
        void ask(command);
        await clock.sleep(4);
      },
    });
}

/** The sub-command, or those of all the git commands of a script. */
function wordsOf([first = "", script = ""]: readonly string[]): string {
  if (first !== "-ec") return first;
  const commands = script.matchAll(/\bgit (?:-c \S+ )?([a-z]+(?:-[a-z]+)*)/g);
  return [...commands].map(([, name]) => name).join("+");
}

/** A command of git's that writes the index, alone or in a script. */
const isIndexed = (args: readonly string[]) =>
  args.slice(0, 2).some((text) => /\b(?:read-tree|update-index|checkout-index)\b/.test(text));

function crashSupervise({ supervise, clock }: System, killer: Killer): Supervise {
  return (command) =>
    killer({
      name: `supervise ${command.file.replace(/.*\//, "")}`,
      act: () => supervise(command),
      half: async () => {
        void supervise(command);
        await clock.sleep(8);
      },
    });
}

/** The real `fetch`; an error is a connection lost before or after the request had its effect, or a 502. */
export const crashFetch =
  (send: typeof fetch, killer: Killer): typeof fetch =>
  (url, options) =>
    killer({
      name: `http ${options?.method ?? "GET"} ${url}`,
      act: () => send(url, options),
      half: async () => {
        void send(url, options);
        await new Promise((resolve) => setTimeout(resolve, 4));
      },
      fail: async (nth) => {
        if (nth % 3 === 0) return new Response("{}", { status: 502 });
        if (nth % 3 === 1) await send(url, options);
        throw new TypeError("fetch failed", { cause: new Error("read ECONNRESET") });
      },
    });

function crashStartLong({ startLong, clock }: System, killer: Killer): StartLong {
  return (command) =>
    killer({
      name: `start-long ${command.args.at(-1)?.replace(/.*[/\n]/s, "")}`,
      act: () => startLong(command),
      half: async () => {
        void startLong(command);
        await clock.sleep(200);
      },
    });
}
