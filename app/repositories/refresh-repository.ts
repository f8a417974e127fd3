import type { Config } from "../../src/schema/config/config.ts";
import type { Access } from "../access/access.ts";
import type { Place } from "../access/place.ts";
import { isConfigBroken } from "./config.ts";
import { type RepositoryNote, readRepository, saveRepository } from "./repository-note.ts";
import {
  type PlaceParts,
  RepositoryOutOfReachError,
  type SettledPlace,
  settlePlace,
} from "./settle-place.ts";

/** Saves the current state and schedule of a repository; undefined if the App can no longer reach it. */
export async function refreshRepository(
  parts: PlaceParts & { access: Access },
  given: Place,
): Promise<Place | undefined> {
  const { access, notes, clock } = parts;
  const settled = await settleOrGone(parts, given);
  const { is_gone: wasGone, ...old } = await readRepository(notes, given);
  if (!settled) {
    await saveRepository(parts, { ...old, is_gone: true });
    const { id: repository, repository: name } = old.place;
    if (!wasGone) parts.record("repository-gone", { repository, name });
    return undefined;
  }
  const { place, listed } = settled;
  const config = listed.archived || listed.disabled ? undefined : await readConfig(access, place);
  const now = clock.now();
  await saveRepository(parts, { ...withSchedule(old, { config, now }), place });
  return place;
}

async function settleOrGone(
  parts: PlaceParts & { access: Access },
  place: Place,
): Promise<SettledPlace | undefined> {
  try {
    return await settlePlace(parts, place);
  } catch (error) {
    if (!(error instanceof RepositoryOutOfReachError)) throw error;
    return undefined;
  }
}

type Read = { config: Config | "broken" | undefined; now: number };

/** A new or changed schedule begins with its next slot. Pure. */
export function withSchedule(note: RepositoryNote, { config, now }: Read): RepositoryNote {
  // An invalid configuration starts nothing; the old schedule is kept until it is repaired.
  if (config === "broken") return note;
  const { schedule: old, scheduled_at: last, ...others } = note;
  const { schedule: every, schedule_time: at = "" } = config?.autopilot ?? {};
  if (!every) return others;
  const isSame = old?.every === every && old.at === at;
  return { ...others, schedule: { every, at }, scheduled_at: isSame && last ? last : now };
}

async function readConfig(access: Access, place: Place): Promise<Read["config"]> {
  try {
    return await access.config(place);
  } catch (error) {
    if (!isConfigBroken(error)) throw error;
    return "broken";
  }
}
