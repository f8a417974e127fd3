import { checkShape } from "../../schema/base/check-shape.ts";
import type { Finding } from "../../schema/base/finding.ts";
import { plainLine } from "../../text/plain-text.ts";
import type { CancelRequest, ForeignFile, ForeignRun, ForeignTree } from "../dialect.ts";
import { checkJson, checkTaskList, renderJson } from "../json-text.ts";
import * as omc from "./schema/index.ts";
import type { RalphState } from "./schema/types.ts";

export const ralphPath = ".omc/ralph-state.json";
export const ultraworkPath = ".omc/ultrawork-state.json";
export const verificationPath = ".omc/ralph-verification.json";

const schemas = {
  [ralphPath]: omc.ralphState,
  [ultraworkPath]: omc.ultraworkState,
  [verificationPath]: omc.verificationState,
};

const isState = (path: string): path is keyof typeof schemas => Object.hasOwn(schemas, path);

/** A run without activity for so long is inactive (compatibility 4). */
const staleMs = 2 * 60 * 60_000;

/** All findings in a state file or in the list of stories. */
export function checkOmcFile(path: string, text: string): readonly Finding[] {
  return checkJson(text, (value) => {
    if (!isState(path)) return checkTaskList(path, value);
    const checked = checkShape(schemas[path], value);
    return checked.kind === "invalid" ? checked.findings : [];
  });
}

/** The single loop of a project. */
export function readOmcRuns(tree: ForeignTree, now: string): readonly ForeignRun[] {
  const state = readAs<RalphState>(tree, ralphPath);
  if (!state) return [];
  const isStale = Date.parse(now) - Date.parse(state.last_activity_at) > staleMs;
  const story = state.current_story_id === null ? "" : `, ${plainLine(state.current_story_id, 60)}`;
  return [
    {
      id: shownId(state),
      path: ralphPath,
      isActive: state.active && !isStale,
      phase: phaseOf(state, tree),
      detail: `iteration ${state.iteration} of ${state.max_iterations}${story}`,
    },
  ];
}

/** Any text is possible, so it is cleaned for display. */
const shownId = ({ session_id }: RalphState) => plainLine(session_id, 80);

function phaseOf(state: RalphState, tree: ForeignTree): ForeignRun["phase"] {
  if (!state.active) return "cancelled_at" in state ? "cancelled" : "complete";
  const verification = readAs<{ pending: boolean }>(tree, verificationPath);
  return verification?.pending ? "verifying" : "executing";
}

/** Ends the loop and its ultrawork session; every other field stays. */
export function cancelOmc(tree: ForeignTree, { id, now }: CancelRequest): readonly ForeignFile[] {
  const state = readAs<RalphState>(tree, ralphPath);
  if (!state?.active) return [];
  if (id !== undefined && id !== state.session_id && id !== shownId(state)) return [];
  const linked = readAs<RalphState>(tree, ultraworkPath);
  const isLinked = linked?.active && linked.session_id === state.session_id;
  return [
    ...(isLinked ? [cancelled(ultraworkPath, linked, { last_checked_at: now, now })] : []),
    cancelled(ralphPath, state, { last_activity_at: now, now }),
  ];
}

function cancelled(
  path: string,
  state: object,
  { now, ...touched }: { now: string } & Record<string, string>,
): ForeignFile {
  const ended = { ...state, active: false, ...touched, cancelled_at: now, reason: "cancelled" };
  return { path, locks: [], text: renderJson(ended) };
}

/** The state in a file; undefined for a missing or invalid one. */
function readAs<State>(tree: ForeignTree, path: string): State | undefined {
  const text = tree.get(path);
  if (text === undefined || checkOmcFile(path, text).length > 0) return undefined;
  return JSON.parse(text) as State;
}
