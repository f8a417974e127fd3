import type { Files, System } from "../../../src/platform/system.ts";

/** The event after which a run ends without another word: the nth of its type, counted from 1. */
export type LastWord = { type: string; nth?: number };

/**
 * A machine on which `ralph` breaks off right after an event is in the journal, once: what was in memory is gone, and
 * nothing is tidied up. In one process, so a death costs milliseconds; what a SIGKILL leaves on disk is for the torture tests.
 */
export function createDyingMachine({ type, nth = 1 }: LastWord): (system: System) => System {
  let left = nth;
  const dying = (files: Files): Files => ({
    ...files,
    openAppend: async (path) => {
      const file = await files.openAppend(path);
      if (!path.endsWith("journal.jsonl")) return file;
      let isDead = false;
      const append = async (text: string | Buffer) => {
        // Another step may still be running: a dead process writes nothing more.
        if (!isDead) await file.append(text);
        isDead ||= left > 0 && text.includes(`"type":"${type}"`) && --left === 0;
        if (isDead) throw new Error("died");
      };
      return { ...file, append, [Symbol.asyncDispose]: () => file[Symbol.asyncDispose]() };
    },
  });
  return (system) => ({ ...system, files: (root) => dying(system.files(root)) });
}
