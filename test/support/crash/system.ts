import { copyFile, link } from "node:fs/promises";
import { join } from "node:path";
import { toFileError } from "../../../src/platform/file-error.ts";
import { createTemporaryName } from "../../../src/platform/fs/temporary-file.ts";
import type { AppendFile, Ask, Files, Supervise, System } from "../../../src/platform/system.ts";

/**
 * `within` leaves what only half happened: half a line, a temporary file, a lock of git, a program under way. `fails` ends
 * nothing: the disk is full for this one effect.
 */
export type Moment = "before" | "within" | "after" | "fails";
/** The operation, counted from 1, around which the process ends itself. */
export type KillPoint = { at: number; how: Moment };

type Killer = <Result>(effect: Effect<Result>) => Promise<Result>;
type Effect<Result> = {
  name: string;
  act: () => Promise<Result>;
  /** Does half of it; absent where there is no half. */
  half?: () => Promise<unknown>;
  /** What a program without space on the disk answers; a file operation throws. */
  fail?: () => Result;
};

/** The real system, whose process ends by SIGKILL at one of its effects on the outside world (R1, F01). */
export function createCrashSystem(
  system: System,
  { point, onEffect }: { point: KillPoint | undefined; onEffect: (name: string) => void },
): System {
  let count = 0;
  const killer: Killer = async ({ name, act, half, fail = () => throwFull(name) }) => {
    count += 1;
    onEffect(half ? `${name} (half)` : name);
    const how = point?.at === count ? point.how : undefined;
    if (how === "before") await die();
    if (how === "within") {
      await half?.();
      await die();
    }
    if (how === "fails") return fail();
    const result = await act();
    if (how === "after") await die();
    return result;
  };
  return {
    ...system,
    files: (root) => crashFiles(system.files(root), killer),
    ask: crashAsk(system, killer),
    supervise: crashSupervise(system, killer),
  };
}

/** As `platform` reports it. */
function throwFull(name: string): never {
  const message = "ENOSPC: no space left on device, write";
  const error = Object.assign(new Error(message), { code: "ENOSPC" });
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
