import type { Access } from "../access/access.ts";
import type { ListedRepository } from "../access/find-repository.ts";
import type { Place } from "../access/place.ts";
import type { RecordEvent } from "../events/recorder.ts";
import { adoptNotes } from "./adopt-notes.ts";
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
  const settled = await findPlace(parts, given);
  if (!settled) {
    throw new RepositoryOutOfReachError(
      `Repository ${given.id}, last known as ${given.repository}, is out of the App's reach.`,
    );
  }
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
