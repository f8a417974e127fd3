import type { Queue } from "./queue.ts";

/** A record of the App, as JSON. GitHub is the source of truth; notes refer to it and feed the pages. */
export interface Note {
  kind:
    | "run"
    | "repository"
    | "delivery"
    | "session"
    | "orders"
    | "cancel"
    | "pace"
    | "audit"
    | "probe"
    | "told"
    | "shown"
    | "report";
  id: string;
  /** GitHub's id of the repository; empty for a note that belongs to none. */
  repository: string;
  /** Milliseconds since 1970; lists begin with the newest. */
  at: number;
  data: unknown;
}

export interface Notes {
  /** Writes a note, in place of an older one with its kind and id. */
  put(note: Note): Promise<void>;
  get(kind: Note["kind"], id: string): Promise<Note | undefined>;
  /** Newest first. */
  list(wanted: NotesQuery): Promise<Note[]>;
  remove(kind: Note["kind"], id: string): Promise<void>;
  /** Removes older notes. */
  prune(kind: Note["kind"], olderThan: number): Promise<void>;
}

export interface NotesQuery {
  kind: Note["kind"];
  /** Undefined for all repositories. */
  repositories?: readonly string[] | undefined;
  /**
   * For runs only: the `outcome` in their data, else the kind of their `ending` once they are over, else `pull` for a
   * finished run with a pull request, else their `state`.
   */
  statuses?: readonly string[] | undefined;
  /** Excludes older notes. */
  since?: number | undefined;
  /** The key of a page's last note, for the next page; new notes do not shift the pages. */
  before?: NoteKey | undefined;
  limit: number;
}

/** A note's position in the order. */
export type NoteKey = Pick<Note, "at" | "id">;

/** The position before every note. */
export const newestKey: NoteKey = { at: Number.MAX_SAFE_INTEGER, id: "" };

/** The App's durable data. */
export interface Store extends AsyncDisposable {
  queue: Queue;
  notes: Notes;
}
