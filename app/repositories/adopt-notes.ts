import type { Place } from "../access/place.ts";
import type { Note, Notes } from "../store/notes.ts";

/** Kinds of notes that an earlier version kept under a repository's name. */
const kinds = ["run", "orders", "cancel", "repository"] as const;
const limit = 10_000;

interface Adoption {
  place: Place;
  /** A name of the repository, `owner/name`. */
  name: string;
  /** When the repository was created, milliseconds since 1970: older notes belong to another one that had its name. */
  createdAt: number;
}

/**
 * Moves the notes that version 1 of the store kept under a repository's name to its id, once; the record of the repository
 * itself comes last, so that an interrupted move is repeated.
 */
export async function adoptNotes(
  { notes }: { notes: Notes },
  { place, name, createdAt }: Adoption,
): Promise<void> {
  if (!(await notes.get("repository", name))) return;
  let isForeign = false;
  for (const kind of kinds) {
    for (const note of await notes.list({ kind, repositories: [name], limit })) {
      isForeign ||= note.at < createdAt;
      // The record of the repository is written again and again, so its age says nothing.
      if (isForeign && kind === "repository") await notes.remove(kind, note.id);
      else if (note.at >= createdAt) await adoptNote(notes, { note, place, name });
    }
  }
}

async function adoptNote(
  notes: Notes,
  { note, place, name }: { note: Note; place: Place; name: string },
): Promise<void> {
  const id = note.id.startsWith(name) ? `${place.id}${note.id.slice(name.length)}` : note.id;
  const before = id === note.id ? undefined : await notes.get(note.kind, id);
  const data = note.kind === "orders" ? note.data : adoptData(note, { place, before });
  await notes.put({ ...note, id, repository: String(place.id), data });
  if (id !== note.id) await notes.remove(note.kind, note.id);
}

type Adopting = { place: Place; before: Note | undefined };

/** A pause under either name stays one. */
function adoptData({ kind, data }: Note, { place, before }: Adopting): unknown {
  if (!isData(data) || kind === "cancel") return data;
  if (kind !== "repository" || !isData(before?.data)) return { ...data, place };
  return { ...data, ...before.data, place, isPaused: data.isPaused || before.data.isPaused };
}

type Data = Readonly<Record<string, unknown>>;
const isData = (value: unknown): value is Data => typeof value === "object" && value !== null;
