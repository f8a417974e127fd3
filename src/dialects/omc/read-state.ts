import type { SessionState } from "../../core/state/session-state.ts";
import { SessionId } from "../../schema/base/fields.ts";
import type { Finding } from "../../schema/base/finding.ts";
import { plainLine } from "../../text/plain-text.ts";
import type {
  CancelRequest,
  ForeignFile,
  ForeignRun,
  ForeignTree,
  SettleRequest,
} from "../dialect.ts";
import {
  checkJson,
  checkTaskList,
  parsedBy,
  removed,
  renderJson,
  wholeFile,
} from "../json-text.ts";
import {
  checkFoundRalph,
  checkFoundUltrawork,
  checkFoundVerification,
  type FoundRalph,
} from "./schema/found.ts";

export const ralphPath = ".omc/ralph-state.json";
export const ultraworkPath = ".omc/ultrawork-state.json";
export const verificationPath = ".omc/ralph-verification.json";

const checks = {
  [ralphPath]: checkFoundRalph,
  [ultraworkPath]: checkFoundUltrawork,
  [verificationPath]: checkFoundVerification,
};

const isState = (path: string): path is keyof typeof checks => Object.hasOwn(checks, path);

/** A run without activity for so long is inactive (compatibility 4). */
const staleMs = 2 * 60 * 60_000;

/** All findings in a state file or in the list of stories. */
export function checkOmcFile(path: string, text: string): readonly Finding[] {
  return checkJson(text, (value) =>
    isState(path) ? checks[path](value).findings : checkTaskList(path, value),
  );
}

/** The single loop of a project. */
export function readOmcRuns(tree: ForeignTree, now: string): readonly ForeignRun[] {
  const state = foundRalph(tree);
  if (!state) return [];
  const story = state.current_story_id ? `, ${plainLine(state.current_story_id, 60)}` : "";
  return [
    {
      id: shownId(state),
      path: ralphPath,
      isActive: state.active && !isStale(state, now),
      phase: phaseOf(state, tree),
      detail: `iteration ${state.iteration ?? 0} of ${state.max_iterations ?? "?"}${story}`,
    },
  ];
}

/** A state without any time is as active as it says. */
function isStale({ last_activity_at, started_at }: FoundRalph, now: string): boolean {
  return Date.parse(now) - Date.parse(last_activity_at ?? started_at ?? now) > staleMs;
}

/** Any text is possible, so it is cleaned for display. */
const shownId = ({ session_id }: FoundRalph) =>
  session_id == null ? undefined : plainLine(session_id, 80);

/** Reasons for which work is left without a failure. */
const withoutFailure = ["cancelled", "checkpoint", "budget", "max_runtime"];

function phaseOf(state: FoundRalph, tree: ForeignTree): ForeignRun["phase"] {
  if (!state.active) return endPhase(state);
  const verification = parsedBy(checkFoundVerification)(tree.get(verificationPath));
  return verification?.pending ? "verifying" : "executing";
}

function endPhase({ cancelled_at, reason, session_id }: FoundRalph): ForeignRun["phase"] {
  if (cancelled_at == null) return "complete";
  // The reasons of ralph's own sessions are known.
  return isOurs(session_id) && !withoutFailure.includes(reason ?? "") ? "failed" : "cancelled";
}

/** Ends the loop and its ultrawork session; every other field stays. */
export function cancelOmc(tree: ForeignTree, { id, now }: CancelRequest): readonly ForeignFile[] {
  const state = foundRalph(tree);
  if (!state?.active) return [];
  if (id !== undefined && id !== state.session_id && id !== shownId(state)) return [];
  const linked = parsedBy(checkFoundUltrawork)(tree.get(ultraworkPath));
  const isLinked = linked?.active && linked.session_id === state.session_id;
  return [
    ...(isLinked ? [ended(ultraworkPath, linked, { last_checked_at: now, now })] : []),
    ended(ralphPath, state, { last_activity_at: now, now }),
  ];
}

type End = { now: string; reason?: string; last_activity_at?: string; last_checked_at?: string };

const ended = (path: string, state: object, { now, reason = "cancelled", ...touched }: End) =>
  wholeFile(path, renderJson({ ...state, active: false, ...touched, cancelled_at: now, reason }));

const foundRalph = (tree: ForeignTree) => parsedBy(checkFoundRalph)(tree.get(ralphPath));

const isOurs = (id: unknown): id is string => SessionId.safeParse(id).success;

/** Ends the loop of a ralph session that was interrupted; that of a session that is about to be resumed is withdrawn. */
export function settleOmc(tree: ForeignTree, { now, resumed }: SettleRequest): ForeignFile[] {
  const state = foundRalph(tree);
  if (!isOurs(state?.session_id)) return [];
  if (state.session_id === resumed) return [removed(ralphPath), removed(verificationPath)];
  const end = { now, last_activity_at: now, reason: "interrupted" };
  return state.active ? [ended(ralphPath, state, end)] : [];
}

/** The content of another program's file; ralph's own sessions are kept in its store. */
export function keepOmcAside(
  { path, text }: { path: string; text: string },
  { session }: SessionState,
): string | undefined {
  const { session_id: owner } = (JSON.parse(text) ?? {}) as { session_id?: unknown };
  if (isOurs(owner)) return undefined;
  return `.omc/kept/${session.session_id}/${path.slice(path.lastIndexOf("/") + 1)}`;
}
