import type { EvidenceRef, RunEvent } from "../core/state/event.ts";
import type { SessionState } from "../core/state/session-state.ts";

/**
 * A surface is something people or tools read. It is computed from the run and nothing else, so it can be
 * lost, rendered again, and updated twice without a change (design 2). Three kinds, one file each.
 */
export type View = RenderView | AppendView | SpliceView;

/**
 * Whole file, ours alone. Same run, same text. It shows the session, what its tasks show (`Run.tasksAt`) and its end;
 * what changes with every event belongs into a file that grows. `undefined`: no file in this run.
 */
export interface RenderView {
  kind: "render";
  name: string;
  /** Below the session directory. */
  path: string;
  render: (state: SessionState, given: ViewInput) => string | undefined;
}

/** A file that only grows: each event adds text to one path, or nothing. */
export interface AppendView {
  kind: "append";
  name: string;
  append: (
    event: RunEvent,
    state: SessionState,
    evidence: ReadEvidence,
  ) => Promise<Appended | undefined> | Appended | undefined;
}
export type Appended = { path: string; text: string };

/** A file of the repository in which only our part changes; every other byte stays as it is. */
export interface SpliceView {
  kind: "splice";
  name: string;
  /** Below the project root. */
  path: (state: SessionState) => string;
  /** A lock file that other programs take before they write to it: then it is written in place, and under the lock. */
  lock?: string;
  /**
   * `text` is undefined when the file does not exist; returning undefined leaves it so. Tasks whose pass stands in
   * the text already may be missing from `run`.
   */
  splice: (text: string | undefined, state: SessionState) => string | undefined;
}

/** What a surface may show beside the run: the live token stands in session.json and nowhere else (design 9.7). */
export type ViewInput = { token: string };

/** Text of an evidence file, already redacted and capped. */
export type ReadEvidence = (ref: EvidenceRef) => Promise<string>;
