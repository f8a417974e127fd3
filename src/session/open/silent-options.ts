import type { SessionOptions } from "./assemble-session.ts";

/** The options of a session that selects no tasks, keeps no deadline and has no views. */
export const silentOptions = (cancel: AbortSignal, sessionDir: string): SessionOptions => ({
  flags: {},
  choices: { deadlines: [] },
  selection: {},
  versions: {},
  cancel,
  sessionDir,
  openViews: async () => ({
    notice: () => {},
    update: async () => {},
    tampered: async () => [],
  }),
});
