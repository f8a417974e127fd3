import type { Config } from "../../src/schema/config/config.ts";
import type { Access } from "../access/access.ts";
import type { Place } from "../access/place.ts";
import { isConfigBroken } from "./config.ts";
import { isRepositoryUnreachable, readRepositoryFacts } from "./repository-facts.ts";
import {
  type RepositoryNote,
  type RepositoryNoteParts,
  readRepository,
  saveRepository,
} from "./repository-note.ts";

/** Saves the current state and schedule of a repository; false if the App can no longer reach it. */
export async function refreshRepository(
  parts: RepositoryNoteParts & { access: Access },
  place: Place,
): Promise<boolean> {
  const { access, notes, clock } = parts;
  const { is_gone: _, ...old } = await readRepository(notes, place);
  try {
    const { archived, disabled } = await readRepositoryFacts(await access.github(place));
    const config = archived || disabled ? undefined : await readConfig(access, place);
    const now = clock.now();
    await saveRepository(parts, { ...withSchedule(old, { config, now }), place });
    return true;
  } catch (error) {
    if (!isRepositoryUnreachable(error)) throw error;
    await saveRepository(parts, { ...old, place, is_gone: true });
    return false;
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
