import { SessionId } from "../../schema/base/fields.ts";
import { plainLine } from "../../text/plain-text.ts";
import type { ForeignRun, ForeignTree } from "../dialect.ts";
import { checkBy, parsedBy } from "../json-text.ts";
import { type Mode, modes, omxFileAt, sessionFile, statePath } from "./paths.ts";
import { OmxSession } from "./schema/files.ts";
import {
  checkOmxMode,
  checkOmxState,
  isTerminal,
  type OmxState,
  omxPhase,
} from "./schema/state.ts";

/** The file of a mode. `session` is undefined in the root scope. */
export interface ModeFile {
  mode: Mode;
  session: string | undefined;
  path: string;
  state: OmxState;
}

/** The check of a mode's state. */
export const checkOf = (mode: Mode) => (mode === "ralph" ? checkOmxState : checkOmxMode);

/** The state in a text; undefined for an invalid one. */
export const parseModeState = (mode: Mode, text: string | undefined): OmxState | undefined =>
  parsedBy(checkOf(mode))(text);

export const parseSession = parsedBy(checkBy(OmxSession));

/** Whether a session is one of ralph's own, which have their own files. */
export const isOurs = (id: string) => SessionId.safeParse(id).success;

/** The other tool's current session, whose files take precedence over the root scope. Never one of ralph's. */
export function currentSession(tree: ForeignTree): string | undefined {
  const id = parseSession(tree.get(sessionFile))?.session_id;
  return id === undefined || isOurs(id) ? undefined : id;
}

/** The modes of all scopes with valid files. */
export function readModes(tree: ForeignTree): ModeFile[] {
  return [...tree].flatMap(([path, text]) => {
    const file = omxFileAt(path);
    if (file?.kind !== "mode") return [];
    const { mode, session } = file;
    const state = parseModeState(mode, text);
    return state ? [{ mode, session, path, state }] : [];
  });
}

/** The modes of the scope to write to: the session's, or the root scope if the session has no files. */
export function authoritative(tree: ForeignTree, session: string | undefined): ModeFile[] {
  const seen = readModes(tree);
  const of = (scope: string | undefined) => seen.filter((each) => each.session === scope);
  if (session === undefined || hasFiles(tree, session)) return of(session);
  return of(undefined);
}

/** An invalid file counts too: the root scope does not replace it. */
const hasFiles = (tree: ForeignTree, session: string) =>
  modes.some((mode) => tree.has(statePath(mode, session)));

/** The runs of every scope, newest first: not modes that the current session hides, nor inactive ones but ralph. */
export function readOmxRuns(tree: ForeignTree): ForeignRun[] {
  const seen = readModes(tree);
  const current = currentSession(tree);
  const own = seen.filter(({ session }) => session !== undefined && session === current);
  const isOverridden = ({ session, mode }: ModeFile) =>
    session === undefined && own.some((each) => each.mode === mode);
  return seen
    .filter((each) => !isOverridden(each) && (each.mode === "ralph" || each.state.active))
    .toSorted((a, b) => startOf(b) - startOf(a) || (a.path < b.path ? -1 : 1))
    .map(toRun);
}

const startOf = ({ state: { started_at } }: ModeFile) => Date.parse(started_at ?? "") || 0;

const toRun = ({ mode, session, path, state }: ModeFile): ForeignRun => ({
  id: session,
  path,
  isActive: state.active,
  phase: phaseOf(state),
  detail: describe(mode, state),
});

/** Other modes have their own phases, so only `active` is known of them. */
function phaseOf({ active, current_phase = "" }: OmxState): ForeignRun["phase"] {
  const phase = omxPhase(current_phase);
  if (phase && !(active && isTerminal(phase))) return phase;
  return active ? "executing" : "cancelled";
}

function describe(mode: Mode, state: OmxState): string {
  const { iteration, max_iterations: max, current_phase: word = "", stop_reason } = state;
  const count = max === undefined ? `iteration ${iteration}` : `iteration ${iteration} of ${max}`;
  const parts = [
    ...(mode === "ralph" ? [] : [mode]),
    ...(iteration === undefined ? [] : [count]),
    ...(word !== "" && omxPhase(word) === undefined ? [plainLine(word, 40)] : []),
    ...(stop_reason === undefined ? [] : [plainLine(stop_reason, 60)]),
  ];
  return parts.length > 0 ? parts.join(", ") : mode;
}
