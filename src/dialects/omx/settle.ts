import type { ForeignFile, ForeignTree, SettleRequest } from "../dialect.ts";
import { renderChanged } from "./change-state.ts";
import { omxFileAt, sessionFile } from "./paths.ts";
import { isOurPrd } from "./render-prd.ts";
import { isOurs, type ModeFile, parseSession, readModes } from "./scope.ts";

/** Ends the states of ralph's sessions that were interrupted, and removes their pointer and their lists. */
export function settleOmx(tree: ForeignTree, request: SettleRequest): ForeignFile[] {
  const own = readModes(tree).filter(({ session }) => session !== undefined && isOurs(session));
  const isPointer = isOurs(parseSession(tree.get(sessionFile))?.session_id ?? "");
  const lists = [...tree].filter(
    ([path, text]) => omxFileAt(path)?.kind === "prd" && isOurPrd(text),
  );
  return [
    ...own.flatMap((each) => settled(each, request)),
    ...(isPointer ? [removed(sessionFile)] : []),
    ...lists.map(([path]) => removed(path)),
  ];
}

const removed = (path: string): ForeignFile => ({ path, locks: [], text: undefined });

function settled({ mode, path, session, state }: ModeFile, request: SettleRequest): ForeignFile[] {
  if (session === request.resumed) return [removed(path)];
  if (!state.active) return [];
  const end = {
    active: false,
    current_phase: "failed",
    completed_at: request.now,
    stop_reason: "interrupted",
  };
  return [{ path, locks: [], text: renderChanged(mode, state, end) }];
}
