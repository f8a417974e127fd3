import type { Views } from "../loop/session-context.ts";
import type { SessionOptions } from "./assemble-session.ts";

/** The options of a session that selects no tasks, keeps no deadline and has no views but those given. */
export const silentOptions = (
  cancel: AbortSignal,
  sessionDir: string,
  views: Partial<Views> = {},
): SessionOptions => ({
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
    ...views,
  }),
});
