import { expect, test } from "vitest";
import { RalphError } from "../../../src/error.ts";
import { createGitHub } from "../../../src/github/api/create-github.ts";
import { releaseClaim, requireClaim, takeClaim } from "../../../src/github/claims/claim.ts";
import type { ClaimDeps } from "../../../src/github/claims/claim-ref.ts";
import { clock } from "../../../src/platform/clock.ts";
import { thorough, times } from "../../setup/sampled.ts";
import { contenderOf } from "../../support/github/claiming.ts";
import { createRandom, faultKinds, randomFaults } from "../../support/github/fake-faults.ts";
import { createFakeGitHub, type FakeGitHub } from "../../support/github/fake-github.ts";
import { fakeClock, inFakeTime } from "../../support/github/fake-time.ts";
import { startGitHubServer } from "../../support/github/server.ts";
import { smallGit } from "../../support/project/small-shell.ts";
import { createTestFolder } from "../../support/project/system.ts";

const races = times(4, 100);
const contenders = 6;
const item = "issue-12";
const leaseMs = 120_000;

const take = (deps: ClaimDeps, holder: string) =>
  takeClaim(deps, { item, holder, url: `https://example.org/${holder}`, leaseMs });

const names = Array.from({ length: contenders }, (_, index) => `c${index}`);

/** Starts all contenders within two seconds; returns each result. */
async function race(fake: FakeGitHub, seed: number): Promise<string[]> {
  const random = createRandom(seed);
  return Promise.all(
    names.map(async (name) => {
      await fakeClock.sleep(random() * 2000);
      const taking = take(contenderOf(fake, name), name);
      return taking.then(
        () => name,
        (error: unknown) => (error instanceof RalphError ? String(error.exitCode) : String(error)),
      );
    }),
  );
}

test(`${races} races of ${contenders} for a new item, then for a released one: one holder each`, async () => {
  const fakes = Array.from({ length: races }, (_, seed) =>
    createFakeGitHub({ repository: `race/r${seed}` }),
  );
  const rounds = await inFakeTime(fakes, () =>
    Promise.all(
      fakes.map(async (fake, seed) => {
        const first = await race(fake, seed);
        const winner = first.find((each) => each.startsWith("c")) ?? "";
        const commit = fake.state.git.refs[`refs/ralph/claims/${item}`] ?? "";
        await releaseClaim(contenderOf(fake, winner), { item, commit });
        return [first, await race(fake, seed + races)];
      }),
    ),
  );
  const losers = Array.from({ length: contenders - 1 }, () => "24");
  for (const results of rounds.flat()) {
    expect(results.toSorted()).toEqual([...losers, expect.stringMatching(/^c/)]);
  }
  const winners = new Set(rounds.flat().flatMap((each) => each.filter((one) => one !== "24")));
  expect(winners.size).toBeGreaterThan(contenders / 2);
});

/** Records who believes to hold the item until when, and every run that enters beside another. */
function createWatch() {
  const inside = new Map<string, number>();
  const collisions: string[] = [];
  return {
    collisions,
    enter: (name: string, untilMs: number) => {
      const others = [...inside].filter(([other, end]) => other !== name && end > Date.now());
      collisions.push(...others.map(([other]) => `${name} beside ${other}`));
      inside.set(name, untilMs);
    },
    leave: (name: string) => inside.delete(name),
  };
}

type Contest = { fake: FakeGitHub; random: () => number; watch: ReturnType<typeof createWatch> };

/** One run: takes the item, works, checks its claim, pushes, releases. Some die, some overrun their lease. */
async function work({ fake, random, watch }: Contest, name: string): Promise<boolean> {
  const deps = contenderOf(fake, name);
  const { claim, until } = await take(deps, name);
  watch.enter(name, Date.parse(until));
  if (random() < 0.2) return false;
  await fakeClock.sleep(random() * 2 * leaseMs);
  try {
    const kept = await requireClaim(deps, claim);
    watch.enter(name, Date.now() + leaseMs);
    await fakeClock.sleep(random() * 10_000);
    watch.leave(name);
    await releaseClaim(deps, kept);
    return true;
  } finally {
    watch.leave(name);
  }
}

/** Starts new runs until one has pushed. */
async function pushOnce(contest: Contest, name: string): Promise<number> {
  for (let attempt = 1; ; attempt++) {
    try {
      if (await work(contest, `${name}-${attempt}`)) return attempt;
    } catch (error) {
      if (!(error instanceof RalphError)) throw error;
    }
    await fakeClock.sleep(contest.random() * 60_000);
  }
}

thorough(
  "with faults in every sixth request, killed runs and late runs, no two runs work at once",
  async () => {
    const contests = Array.from({ length: times(4, 40) }, (_, seed) => {
      const fake = createFakeGitHub({ repository: `contest/r${seed}` });
      fake.breakBy(randomFaults(seed, 1 / 6));
      return { fake, random: createRandom(seed), watch: createWatch() };
    });
    await inFakeTime(
      contests.map(({ fake }) => fake),
      () =>
        Promise.all(
          contests.flatMap((contest) => names.slice(0, 4).map((name) => pushOnce(contest, name))),
        ),
    );
    expect(contests.flatMap(({ watch }) => watch.collisions)).toEqual([]);
    expect(new Set(contests.flatMap(({ fake }) => fake.faults))).toEqual(new Set(faultKinds));
  },
);

test("the same with git itself behind the API: one holder, sound commits, no branch", async () => {
  await using folder = await createTestFolder();
  const { PATH, HOME } = process.env;
  const git = (...args: string[]) => smallGit(args, { cwd: folder.path, env: { PATH, HOME } });
  git("init", "-q", "--bare");
  const fake = createFakeGitHub({ repository: "o/bare", bare: folder.path });
  await using server = await startGitHubServer(fake.answer);
  const depsOf = (name: string): ClaimDeps => {
    const access = { apiUrl: server.apiUrl, token: "t", repository: `o/bare-${name}` };
    return { github: createGitHub(access), clock };
  };
  const results = await Promise.allSettled(names.map((name) => take(depsOf(name), name)));
  const [winner, ...more] = results.flatMap((each) =>
    each.status === "fulfilled" ? [each.value.claim] : [],
  );
  expect([winner?.item, more]).toEqual([item, []]);
  const lost = results.flatMap((each) => (each.status === "rejected" ? [each.reason] : []));
  expect(lost.map(({ exitCode }) => exitCode)).toEqual(names.slice(1).map(() => 24));
  if (winner) await releaseClaim(depsOf("later"), winner);
  await take(depsOf("later"), "later");
  const ref = `refs/ralph/claims/${item}`;
  expect(git("for-each-ref", "--format=%(refname)")).toBe(ref);
  expect(
    git("log", "--format=%s", ref)
      .replace(/c\d|\d{4}-\S+Z/g, "X")
      .split("\n"),
  ).toEqual([
    "ralph: later works on issue-12 until X",
    "ralph: X released issue-12",
    "ralph: X works on issue-12 until X",
  ]);
  expect(git("ls-tree", "--name-only", ref)).toBe("README.md");
  expect(git("fsck", "--strict", "--no-dangling")).toBe("");
});
