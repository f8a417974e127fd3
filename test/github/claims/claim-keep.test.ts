import { describe, expect, test } from "vitest";
import {
  findClaimOf,
  releaseClaim,
  requireClaim,
  takeClaim,
} from "../../../src/github/claims/claim.ts";
import type { Claim } from "../../../src/github/claims/claim-note.ts";
import type { ClaimDeps } from "../../../src/github/claims/claim-ref.ts";
import { claiming, writesOf } from "../../support/github/claiming.ts";
import { fakeClock } from "../../support/github/fake-time.ts";
import { breakFirst } from "../../support/github/publishing.ts";

const item = "issue-12";
const ref = `refs/ralph/claims/${item}`;
const hourMs = 3_600_000;

async function take(
  deps: ClaimDeps,
  holder: string,
  more: { predecessor?: string; item?: string } = {},
): Promise<Claim> {
  const url = `https://github.com/o/r/actions/runs/${holder}`;
  return (await takeClaim(deps, { item, holder, url, leaseMs: hourMs, ...more })).claim;
}

const refusal = (act: Promise<unknown>) => act.catch((error: unknown) => error);

describe("before a push", () => {
  test("a held claim is read, and nothing is written", async () => {
    const { result, fake } = await claiming(async (contender) => {
      const claim = await take(contender("a"), "1");
      return [claim, await requireClaim(contender("a"), claim)];
    });
    expect(result[1]).toEqual(result[0]);
    expect(writesOf(fake)).toHaveLength(3);
    expect(fake.seen).toHaveLength(8);
  });

  test("a claim that ends soon is extended, so that no other run takes the item", async () => {
    const { result } = await claiming(async (contender) => {
      const claim = await take(contender("a"), "1");
      await fakeClock.sleep(hourMs - 60_000);
      const kept = await requireClaim(contender("a"), claim);
      await fakeClock.sleep(10 * 60_000);
      return [claim, kept, await refusal(take(contender("b"), "2"))];
    });
    expect(result).toMatchObject([{ item }, { item }, { exitCode: 24 }]);
    expect(result[1]).not.toEqual(result[0]);
  });

  test("a claim that expired, or was released by a job of this run, is taken again if no other run has had it", async () => {
    const { result } = await claiming(async (contender) => {
      const claim = await take(contender("a"), "1");
      await fakeClock.sleep(3 * hourMs);
      const late = await requireClaim(contender("a"), claim);
      await releaseClaim(contender("a"), claim);
      const again = await requireClaim(contender("a"), claim);
      return [late, again, await refusal(take(contender("b"), "2"))];
    });
    expect(result).toMatchObject([{ item }, { item }, { exitCode: 24 }]);
  });

  test("a claim that another run holds is lost, and the error names that run", async () => {
    const { result } = await claiming(async (contender) => {
      const claim = await take(contender("a"), "1");
      await take(contender("b"), "2", { predecessor: "1" });
      return refusal(requireClaim(contender("a"), claim));
    });
    expect(result).toMatchObject({
      exitCode: 24,
      message: expect.stringContaining("workflow run 2"),
    });
  });

  test("a claim that another run had in between is lost, even after that run released it", async () => {
    const { result } = await claiming(async (contender, fake) => {
      const claim = await take(contender("a"), "1");
      await releaseClaim(contender("b"), await take(contender("b"), "2", { predecessor: "1" }));
      const before = writesOf(fake).length;
      const refused = await refusal(requireClaim(contender("a"), claim));
      return { refused, more: writesOf(fake).length - before };
    });
    expect(result).toMatchObject({
      refused: {
        exitCode: 24,
        message:
          "This run lost its claim on issue-12: another run has worked on it since. Nothing was pushed.",
      },
      more: 0,
    });
  });

  test("a claim whose ref was deleted is lost", async () => {
    const { result } = await claiming(async (contender, fake) => {
      const claim = await take(contender("a"), "1");
      delete fake.state.git.refs[ref];
      const refused = await refusal(requireClaim(contender("a"), claim));
      fake.state.git.refs[ref] = (await take(contender("b"), "2")).commit;
      return [refused, await refusal(requireClaim(contender("a"), claim))];
    });
    expect(result).toMatchObject([
      { exitCode: 24, message: expect.stringContaining(`${ref} was deleted`) },
      { exitCode: 24, message: expect.stringContaining("workflow run 2") },
    ]);
  });

  test("one stale read does not lose a claim", async () => {
    const { result } = await claiming(async (contender, fake) => {
      const claim = await take(contender("a"), "1");
      breakFirst(fake, { match: /GET .*\/git\/ref\//, kind: "stale-read" });
      return [claim, await requireClaim(contender("a"), claim)];
    });
    expect(result[1]).toEqual(result[0]);
  });
});

describe("releasing a claim", () => {
  test("is safe to repeat, and frees the item for anyone", async () => {
    const { result, fake } = await claiming(async (contender) => {
      const claim = await take(contender("a"), "1");
      const kinds = [await releaseClaim(contender("a"), claim)];
      kinds.push(await releaseClaim(contender("a"), claim));
      return [...kinds, await take(contender("b"), "2")];
    });
    expect(result).toMatchObject([{ kind: "released" }, { kind: "released" }, { item }]);
    expect(writesOf(fake)).toHaveLength(7);
  });

  test("leaves another run's claim alone, and a deleted one deleted", async () => {
    const { result, fake } = await claiming(async (contender, fake) => {
      const claim = await take(contender("a"), "1");
      const theirs = await take(contender("b"), "2", { predecessor: "1" });
      const foreign = await releaseClaim(contender("a"), claim);
      const isUntouched = fake.state.git.refs[ref] === theirs.commit;
      delete fake.state.git.refs[ref];
      return [foreign, isUntouched, await releaseClaim(contender("a"), claim)];
    });
    expect(result).toEqual([{ kind: "foreign" }, true, { kind: "gone" }]);
    expect(fake.state.git.refs).toEqual({});
  });

  test("works when the answer is lost", async () => {
    const { result } = await claiming(async (contender, fake) => {
      const claim = await take(contender("a"), "1");
      breakFirst(fake, { match: /PATCH/, kind: "reset-after" });
      return [await releaseClaim(contender("a"), claim), await take(contender("b"), "2")];
    });
    expect(result).toMatchObject([{ kind: "released" }, { item }]);
  });
});

test("a run's latest claim is found by its holder, newer issues first", async () => {
  const { result } = await claiming(async (contender, fake) => {
    const deps = contender("a");
    await take(deps, "1", { item: "issue-2" });
    await take(deps, "2", { item: "issue-9" });
    await releaseClaim(deps, await take(deps, "3", { item: "issue-10" }));
    await take(deps, "4", { item: "report-0123456789abcdef" });
    const before = fake.seen.length;
    const found = [await findClaimOf(deps, "3")];
    const looks = fake.seen.length - before;
    found.push(await findClaimOf(deps, "4"), await findClaimOf(deps, "9"));
    return { found, looks };
  });
  expect(result).toEqual({
    found: ["issue-10", "report-0123456789abcdef", undefined],
    looks: 3,
  });
});
