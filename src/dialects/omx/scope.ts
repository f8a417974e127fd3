import type { Checked } from "../../schema/base/check-shape.ts";
import { SessionId } from "../../schema/base/identity.ts";
import type { ForeignTree } from "../dialect.ts";
import { parseAs, parseText } from "../json-text.ts";
import { type Mode, modes, omxFileAt, sessionFile, statePath } from "./paths.ts";
import { OmxSession } from "./schema/files.ts";
import { checkOmxMode, checkOmxState, type OmxState } from "./schema/state.ts";

/** The file of a mode. `session` is undefined in the root scope. */
export interface ModeFile {
  mode: Mode;
  session: string | undefined;
  path: string;
  state: OmxState;
}

/** A state with its findings. */
export function checkModeState(mode: Mode, value: unknown): Checked<OmxState> {
  return mode === "ralph" ? checkOmxState(value) : checkOmxMode(value);
}

/** The state in a text; undefined for an invalid one. */
export function parseModeState(mode: Mode, text: string): OmxState | undefined {
  return checkModeState(mode, parseText(text)).data;
}

export const parseSession = (text: string | undefined): OmxSession | undefined =>
  parseAs(OmxSession, text);

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
