import type { SessionState } from "../core/state/session-state.ts";
import { chosenDialects } from "../dialects/dialects.ts";
import { fileHistory } from "../git/trees/history.ts";
import { trackedAmong } from "../git/trees/list-paths.ts";
import type { SessionStore } from "../journal/session-store.ts";
import { isRunning, readStartTime } from "../platform/process/process-table.ts";
import type { Files, System } from "../platform/system.ts";
import type { Config } from "../schema/config/config.ts";
import { CancelReason } from "../session/loop/cancel-message.ts";
import type { Views } from "../session/loop/session-context.ts";
import { openSide } from "../session/open/locate-project.ts";
import { createChangedPaths } from "./changed-paths.ts";
import { createEmitter, type Emitter } from "./dialect-emitter.ts";
import { writeForeign } from "./foreign-runs.ts";
import { readForeign } from "./foreign-tree.ts";

type LocatedStore = { root: string; store: SessionStore };

/** The emitter for the dialects in `compat.emit`; undefined without any. */
export function openDialects(
  system: System,
  place: LocatedStore,
  config: Config,
): Emitter | undefined {
  const { root } = place;
  const dialects = chosenDialects(config.compat.emit);
  if (dialects.length === 0) return undefined;
  const files = system.files(root);
  const { pid, platform } = process;
  return createEmitter({
    dialects,
    given: {
      config,
      root,
      process: { pid, startTicks: readStartTime(pid), platform },
      isRunning: (other) => isRunning({ pid: other.pid, startTime: other.startTicks }),
    },
    project: files,
    write: (wanted, isUrgent) => writeForeign(files, wanted, isUrgent ? undefined : briefWaitMs),
    changedPaths: dialects.some(({ showsChangedPaths }) => showsChangedPaths)
      ? createChangedPaths(system, place)
      : async () => new Map(),
    lastGood: (path, isSound) => lastGood(system, place, { path, isSound }),
    trackedIn: async (commit, paths) => {
      await using repo = await openSide(system, place);
      return await trackedAmong(repo, commit, paths);
    },
    findProblems: async () => {
      const states = await Promise.all(dialects.map((each) => readForeign(files, each)));
      return states.flatMap(({ problems }) => problems);
    },
  });
}

/** Between two steps a run waits for no other program. */
const briefWaitMs = 500;

/**
 * Adds the emitter to a session's views. `settle` settles the files of earlier sessions and returns remarks; it runs right
 * before the first update, so that a session that is refused leaves those files as they are. `before`: the state in which
 * an earlier process left the session; until the resumption has facts of its own, files show that state.
 */
export function withDialects(
  views: Views,
  emitter: Emitter | undefined,
  earlier: {
    before: SessionState | undefined;
    settle: (state: SessionState) => Promise<readonly string[]>;
  },
): Views {
  const { before, settle } = earlier;
  const settled: string[] = [];
  let isFirst = true;
  return {
    ...views,
    update: async (state) => {
      await views.update(state);
      const isSamePart = before?.resumedAt === state.resumedAt && before?.end?.at === state.end?.at;
      if (before && isSamePart) return;
      if (isFirst) {
        isFirst = false;
        settled.push(...(await settle(state)));
      }
      await emitter?.update(state);
    },
    remarks: () => [...settled.splice(0), ...(emitter?.remarks() ?? [])],
  };
}

/** The newest commit with a sound version of a file. */
export async function lastGood(
  system: System,
  place: LocatedStore,
  { path, isSound }: { path: string; isSound: (text: string) => boolean },
): Promise<string | undefined> {
  await using repo = await openSide(system, place);
  for await (const { commit, text } of fileHistory(repo, path)) if (isSound(text)) return commit;
  return undefined;
}

/**
 * Looks for the abort files of the emitted dialects at each update (compatibility 5); the session then ends as cancelled
 * and names the file, which stays.
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
        abort(new CancelReason(`Stopped because ${path} exists. Remove it to continue.`));
      }
    },
  };
}
