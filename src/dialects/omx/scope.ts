import type { Checked } from "../../schema/base/check-shape.ts";
import { checkShape } from "../../schema/base/check-shape.ts";
import { SessionId } from "../../schema/base/identity.ts";
import type { ForeignTree } from "../dialect.ts";
import { parseText } from "../json-text.ts";
import { type Mode, modes, omxFileAt, sessionFile, statePath } from "./paths.ts";
import { OmxSession } from "./schema/files.ts";
import { checkOmxMode, checkOmxState, type OmxState } from "./schema/state.ts";

/** A mode as its file tells it. `session` is undefined in the root scope. */
export interface ModeFile {
  mode: Mode;
  session: string | undefined;
  path: string;
  state: OmxState;
}

/** A state, with everything wrong with it. */
export function checkModeState(mode: Mode, value: unknown): Checked<OmxState> {
  return mode === "ralph" ? checkOmxState(value) : checkOmxMode(value);
}

/** The state a text holds; undefined for one that nobody may go on with. */
export function parseModeState(mode: Mode, text: string): OmxState | undefined {
  return checkModeState(mode, parseText(text)).data;
}

/** Who works here, as the file of the current session tells it. */
export function parseSession(text: string | undefined): OmxSession | undefined {
  if (text === undefined) return undefined;
  const shape = checkShape(OmxSession, parseText(text));
  return shape.kind === "valid" ? shape.data : undefined;
}

/** Sessions of ralph itself are told by their own files, and by nobody else. */
export const isOurs = (id: string) => SessionId.safeParse(id).success;

/** The session whose files count before those of the root scope; none of ours, which is not the other tool's to end. */
export function currentSession(tree: ForeignTree): string | undefined {
  const id = parseSession(tree.get(sessionFile))?.session_id;
  return id === undefined || isOurs(id) ? undefined : id;
}

/** All modes of all scopes whose files are sound. */
export function readModes(tree: ForeignTree): ModeFile[] {
  return [...tree].flatMap(([path, text]) => {
    const file = omxFileAt(path);
    if (file?.kind !== "mode") return [];
    const { mode, session } = file;
    const state = parseModeState(mode, text);
    return state ? [{ mode, session, path, state }] : [];
  });
}

/** The modes of the one scope that is written to: the session's, or the root's where the session has none. */
export function authoritative(tree: ForeignTree, session: string | undefined): ModeFile[] {
  const seen = readModes(tree);
  const of = (scope: string | undefined) => seen.filter((each) => each.session === scope);
  if (session === undefined || hasFiles(tree, session)) return of(session);
  return of(undefined);
}

/** Also a file that cannot be used keeps the root scope from standing in. */
const hasFiles = (tree: ForeignTree, session: string) =>
  modes.some((mode) => tree.has(statePath(mode, session)));
