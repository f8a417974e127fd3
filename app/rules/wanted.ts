import type { CommentCommand } from "../../src/github/issues/comment-command.ts";
import type { Sender } from "./payloads.ts";

/** Who asked, and for which right GitHub is asked before anything happens. */
export interface Asker {
  sender: Sender | undefined;
  /** Of the thing that was done, for the one line that says why nothing happens. */
  commentId?: number;
}

/** What an event leads to. Only ids: every fact is read again from the API when the job is done (T28). */
export type Wanted =
  | {
      kind: "start";
      command: "run" | "autopilot";
      item: string;
      issue?: number;
      label?: string;
      /** The issue is one of those to choose from, beside the reports. */
      among?: true;
      /** Digest of what the issue said when it was asked for (T05). */
      text?: string;
      asker: Asker;
    }
  | {
      kind: "steer";
      command: CommentCommand;
      issue: number;
      isPull: boolean;
      /** As of a start. */
      text?: string;
      asker: Asker;
    }
  | { kind: "explain"; issue: number; problem: string; asker: Asker }
  | { kind: "report"; paths: string[]; commit: string; asker: Asker }
  | {
      kind: "workflow";
      action: "requested" | "in_progress" | "completed";
      run: number;
      attempt: number;
    }
  | { kind: "pull-closed"; pull: number; merged: boolean }
  | { kind: "human-push"; pull: number; commit: string; asker: Asker }
  | { kind: "dashboard"; issue: number; boxes: string[]; asker: Asker }
  | { kind: "welcome"; repository: string }
  | { kind: "recheck" };

/** A wish with what makes it the same as another one (F42). */
export interface Keyed {
  wanted: Wanted;
  key: readonly (string | number)[];
}
