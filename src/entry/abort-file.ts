import { chosenDialects } from "../dialects/dialects.ts";
import type { Files } from "../platform/system.ts";
import type { Config } from "../schema/config/config.ts";
import { CancelReason } from "../session/loop/cancel-message.ts";
import type { Views } from "../session/loop/session-context.ts";

/**
 * The views of a session that also look for the abort files of the emitted dialects at every barrier: where one exists, the
 * session ends as cancelled and says why. The file stays; the user removes it.
 */
export function withAbortFile(
  views: Views,
  { compat }: Pick<Config, "compat">,
  { files, abort }: { files: Pick<Files, "stat">; abort: (reason: CancelReason) => void },
): Views {
  const paths = chosenDialects(compat.emit).flatMap(({ abortFile }) => abortFile ?? []);
  if (paths.length === 0) return views;
  return {
    ...views,
    update: async (state) => {
      await views.update(state);
      for (const path of state.end ? [] : paths) {
        if (!(await files.stat(path))) continue;
        abort(new CancelReason(`Stopped, because ${path} is there. Remove it to go on.`));
      }
    },
  };
}
