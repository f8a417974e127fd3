import type { Files } from "../platform/system.ts";
import type { Config } from "../schema/config/config.ts";
import { CancelReason } from "../session/loop/cancel-message.ts";
import type { Views } from "../session/loop/session-context.ts";

/** How a team is told to stop: whoever finds this file, stops (compatibility 5). */
const abortFile = ".ralph/ABORT";

/**
 * The views of a session that also heeds the file at every barrier, where the configuration emits the state of Agent Teams;
 * the session then ends as cancelled, and says why. The file stays: it is whoever made it who takes it away.
 */
export function withAbortFile(
  views: Views,
  { compat }: Pick<Config, "compat">,
  { files, abort }: { files: Pick<Files, "stat">; abort: (reason: CancelReason) => void },
): Views {
  if (!compat.emit.includes("agent-teams")) return views;
  return {
    ...views,
    update: async (state) => {
      await views.update(state);
      if (!state.end && (await files.stat(abortFile))) {
        abort(new CancelReason(`Stopped, because ${abortFile} is there. Remove it to go on.`));
      }
    },
  };
}
