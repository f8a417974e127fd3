import { afterAll, beforeAll, expect, test } from "vitest";
import { sampled } from "../../setup/sampled.ts";
import { type RaceKind, runAnother, runRace } from "../../support/github/publish-races.ts";
import {
  createPublishedProject,
  type PublishedProject,
} from "../../support/github/published-project.ts";

let origin: PublishedProject;
let other: string;
beforeAll(async () => {
  origin = await createPublishedProject();
  other = await runAnother(origin);
});
afterAll(() => origin[Symbol.asyncDispose]());

/** Without a lease and a check of the commits a push would remove, most of these lose a commit. */
const seeds: Record<RaceKind, number[]> = {
  "same-session": [0, 1],
  "two-sessions": [3, 6, 8, 11],
  person: [8, 9, 14, 18],
};
const races = Object.entries(seeds).flatMap(([kind, each]) =>
  each.map((seed) => ({ kind: kind as RaceKind, seed })),
);

test.each(sampled(races, 1))(
  "when publishers and people meet on a branch ($kind, $seed), no commit is lost and no push is forced",
  async (race) => {
    const { faults } = await runRace(origin, { ...race, other });
    expect(faults).toEqual([]);
  },
);
