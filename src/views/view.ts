import type { RunEvent } from "../core/state/event.ts";
import type { EvidenceRef } from "../core/state/measurement.ts";
import type { SessionState } from "../core/state/session-state.ts";

/** A file that people or tools read. It can be rendered again, and updated twice without a change (design 2). */
export type View = RenderView | AppendView | SpliceView;

/**
 * A whole file that only ralph writes. The same state gives the same text. It may show the session, its tasks (as of
 * `SessionState.tasksAt`) and its end; data that changes with every event belongs in a file that grows. `undefined`: no file.
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

/** A file of the repository in which ralph changes only its own part; every other byte stays. */
export interface SpliceView {
  kind: "splice";
  name: string;
  /** Below the project root. */
  path: (state: SessionState) => string;
  /** The lock files that other programs take too. With locks the file is written in place. */
  locks?: readonly string[];
  /** `text` is undefined for a missing file. `state` may omit tasks whose pass is in the text already. */
  splice: (text: string | undefined, state: SessionState) => string | undefined;
}

/** The facts a view may show beside the state. The live token appears only in session.json (design 9.7). */
export type ViewInput = { token: string };

/** Text of an evidence file, already redacted and capped. */
export type ReadEvidence = (ref: EvidenceRef) => Promise<string>;
