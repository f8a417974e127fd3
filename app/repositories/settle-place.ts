import { isRecord } from "../../src/schema/base/is-record.ts";
import type { Access } from "../access/access.ts";
import type { ListedRepository } from "../access/find-repository.ts";
import type { Place } from "../access/place.ts";
import type { RecordEvent } from "../events/recorder.ts";
import type { Note, Notes } from "../store/notes.ts";
import { type RepositoryNoteParts, readRepository, saveRepository } from "./repository-note.ts";

/** No installation of the App reaches the repository: it was deleted, transferred, or the App was removed from it. */
export class RepositoryOutOfReachError extends Error {}

export type PlaceParts = RepositoryNoteParts & {
  access: Pick<Access, "locate">;
  record: RecordEvent;
};

/** A repository under its address of now, as GitHub lists it. */
export interface SettledPlace {
  place: Place;
  listed: ListedRepository;
}

/**
 * The current address of a repository, which a job or an old delivery may name by an earlier one: asked of GitHub by the
 * repository's id, through the installation given or the one known since. Remembers what has changed.
 */
export async function settlePlace(parts: PlaceParts, given: Place): Promise<SettledPlace> {
  const settled = await settleIfInReach(parts, given);
  if (settled) return settled;
  throw new RepositoryOutOfReachError(
    `Repository ${given.id}, last known as ${given.repository}, is out of the App's reach.`,
  );
}

/** The same; undefined if no installation of the App reaches the repository. */
export async function settleIfInReach(
  parts: PlaceParts,
  given: Place,
): Promise<SettledPlace | undefined> {
  const settled = await findPlace(parts, given);
  if (!settled) return undefined;
  const { place, listed } = settled;
  for (const name of new Set([given.repository, place.repository])) {
    await adoptNotes(parts, { place, name, createdAt: Date.parse(listed.created_at ?? "") || 0 });
  }
  const note = await readRepository(parts.notes, place);
  if (isOther(note.place, place)) {
    await saveRepository(parts, { ...note, place });
    const { id, repository: name, installation } = place;
    const before = note.place.repository;
    parts.record("repository-moved", { repository: id, name, before, installation });
  }
  return settled;
}

async function findPlace(
  { access, notes }: PlaceParts,
  given: Place,
): Promise<SettledPlace | undefined> {
  const known = (await readRepository(notes, given)).place;
  const installations = new Set([given.installation, known.installation]);
  for (const installation of installations) {
    const listed = await access.locate({ ...known, installation });
    if (listed) return { place: { ...known, installation, repository: listed.full_name }, listed };
  }
  return undefined;
}

const isOther = (one: Place, other: Place) =>
  one.installation !== other.installation || one.repository !== other.repository;

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
      // The record of the repository is rewritten often, so its age says nothing.
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
  if (!isRecord(data) || kind === "cancel") return data;
  if (kind !== "repository" || !isRecord(before?.data)) return { ...data, place };
  return { ...data, ...before.data, place, isPaused: data.isPaused || before.data.isPaused };
}
