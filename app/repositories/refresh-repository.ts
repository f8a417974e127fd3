import type { Config } from "../../src/schema/config/config.ts";
import type { Access } from "../access/access.ts";
import type { Place } from "../access/place.ts";
import { isConfigBroken } from "./broken-config.ts";
import { isRepositoryUnreachable, readRepositoryFacts } from "./repository-facts.ts";
import {
  type RepositoryNote,
  type RepositoryNoteParts,
  readRepository,
  saveRepository,
} from "./repository-note.ts";

/** Remembers a repository and its schedule as they are now; false when the App cannot reach it any more. */
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

/** A schedule that is new, or another one, begins with its next slot. Pure. */
export function withSchedule(note: RepositoryNote, { config, now }: Read): RepositoryNote {
  // What does not stand in a sound configuration starts nothing; until it is mended, the old one is remembered.
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
