import { expect, test } from "vitest";
import { type RaceKind, runAnother, runRace } from "../support/github/publish-races.ts";
import { createPublishedProject } from "../support/github/published-project.ts";

const hour = 3_600_000;

/** How many races of each kind; a hundred of each make 200 of two publishers and 100 with a person. */
const races: [kind: RaceKind, count: number][] = [
  ["same-session", 100],
  ["two-sessions", 100],
  ["person", 100],
];

test.each(races)(
  "%s: in %d races no commit is lost and no push is forced (F53, R7)",
  async (kind, count) => {
    await using origin = await createPublishedProject();
    const other = await runAnother(origin);
    const faults: string[] = [];
    const ends: string[] = [];
    for (let seed = 0; seed < count; seed++) {
      const result = await runRace(origin, { kind, seed, other });
      faults.push(...result.faults);
      ends.push(...result.ends);
    }
    const published = ends.filter((end) => end === "published").length;
    console.info(
      `${kind}: ${count} races, ${published} published, ${ends.length - published} stopped`,
    );
    expect(faults).toEqual([]);
  },
  hour,
);
