import type { SessionState } from "../../core/state/session-state.ts";
import { SessionId } from "../../schema/base/identity.ts";
import type { ForeignFile, ForeignTree, SettleRequest } from "../dialect.ts";
import { foundRalph, interrupted, ralphPath, verificationPath } from "./read-state.ts";

const isOurs = (id: unknown): id is string => SessionId.safeParse(id).success;

/** Ends the loop of a ralph session that was interrupted; that of a session that is about to be resumed is withdrawn. */
export function settleOmc(tree: ForeignTree, { now, resumed }: SettleRequest): ForeignFile[] {
  const state = foundRalph(tree);
  if (!isOurs(state?.session_id)) return [];
  const removed = (path: string): ForeignFile => ({ path, locks: [], text: undefined });
  if (state.session_id === resumed) return [removed(ralphPath), removed(verificationPath)];
  return state.active ? [interrupted(state, now)] : [];
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
