import type { Access } from "../access/access.ts";
import type { Place } from "../access/place.ts";
import { type ConfigState, readConfigState } from "./config.ts";
import { type RepositoryNote, readRepository, saveRepository } from "./repository-note.ts";
import { type PlaceParts, settleIfInReach } from "./settle-place.ts";

/** Saves the current state and schedule of a repository; undefined if the App can no longer reach it. */
export async function refreshRepository(
  parts: PlaceParts & { access: Access },
  given: Place,
): Promise<Place | undefined> {
  const { access, notes, clock } = parts;
  const settled = await settleIfInReach(parts, given);
  const { is_gone: wasGone, ...old } = await readRepository(notes, given);
  if (!settled) {
    await saveRepository(parts, { ...old, is_gone: true });
    const { id: repository, repository: name } = old.place;
    if (!wasGone) parts.record("repository-gone", { repository, name });
    return undefined;
  }
  const { place, listed } = settled;
  const isInUse = !listed.archived && !listed.disabled;
  const state = isInUse ? await readConfigState(access, place) : missing;
  const { problem: _, ...note } = withSchedule(old, { state, now: clock.now() });
  const problem = state.kind === "broken" && { problem: state.problem };
  await saveRepository(parts, { ...note, place, ...problem });
  return place;
}

const missing = { kind: "missing" } as const;

type Read = { state: ConfigState; now: number };

/** A new or changed schedule begins with its next slot. Pure. */
export function withSchedule(note: RepositoryNote, { state, now }: Read): RepositoryNote {
  // An invalid configuration starts nothing; the old schedule is kept until it is repaired.
  if (state.kind === "broken") return note;
  const autopilot = state.kind === "valid" ? state.config.autopilot : undefined;
  const { schedule: old, scheduled_at: last, ...others } = note;
  const { schedule: every, schedule_time: at = "" } = autopilot ?? {};
  if (!every) return others;
  const isSame = old?.every === every && old.at === at;
  return { ...others, schedule: { every, at }, scheduled_at: isSame && last ? last : now };
}
