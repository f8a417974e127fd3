/** Something the App remembers, as JSON. GitHub is the truth; a note is how we find it again, and what the pages show. */
export interface Note {
  kind: "run" | "repository" | "delivery" | "session" | "orders" | "cancel" | "pace";
  id: string;
  /** `owner/name`. */
  repository: string;
  /** Milliseconds since 1970; the newest come first. */
  at: number;
  data: unknown;
}

export interface Notes {
  /** Writes a note or takes the place of the one with its kind and id. */
  put(note: Note): Promise<void>;
  get(kind: Note["kind"], id: string): Promise<Note | undefined>;
  /** Newest first. */
  list(wanted: NotesQuery): Promise<Note[]>;
  remove(kind: Note["kind"], id: string): Promise<void>;
  /** Forgets what is older. */
  prune(kind: Note["kind"], olderThan: number): Promise<void>;
}

export interface NotesQuery {
  kind: Note["kind"];
  /** Of these only; undefined: of all. */
  repositories?: readonly string[];
  /**
   * Of runs only, those that stand so: the `outcome` in their data, else `pull` for one that is done and has a pull request,
   * else their `state`.
   */
  statuses?: readonly string[];
  /** Not older. */
  since?: number;
  /** Of the last note of a page, for the page after it: what comes in meanwhile moves nothing. */
  before?: NoteKey;
  limit: number;
}

/** Where a note stands in the order. */
export type NoteKey = Pick<Note, "at" | "id">;

/** Before every note. */
export const newestKey: NoteKey = { at: Number.MAX_SAFE_INTEGER, id: "" };
