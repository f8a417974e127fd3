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
  more: { after?: string; item?: string } = {},
): Promise<Claim> {
  const url = `https://github.com/o/r/actions/runs/${holder}`;
  return (await takeClaim(deps, { item, holder, url, leaseMs: hourMs, ...more })).claim;
}

const refusal = (act: Promise<unknown>) => act.catch((error: unknown) => error);

describe("before a push, a claim", () => {
  test("that is held is looked at, and nothing is written", async () => {
    const { result, fake } = await claiming(async (contender) => {
      const claim = await take(contender("a"), "1");
      return [claim, await requireClaim(contender("a"), claim)];
    });
    expect(result[1]).toEqual(result[0]);
    expect(writesOf(fake)).toHaveLength(3);
    expect(fake.seen).toHaveLength(8);
  });

  test("that ends soon is made longer, so that nobody comes in between", async () => {
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

  test("that ran out, or was released by a job of this run, is taken again if nobody came", async () => {
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

  test("that somebody else holds by now is lost, and they are named", async () => {
    const { result } = await claiming(async (contender) => {
      const claim = await take(contender("a"), "1");
      await take(contender("b"), "2", { after: "1" });
      return refusal(requireClaim(contender("a"), claim));
    });
    expect(result).toMatchObject({
      exitCode: 24,
      message: expect.stringContaining("workflow run 2"),
    });
  });

  test("that somebody else had in between is lost, also when they are done", async () => {
    const { result } = await claiming(async (contender, fake) => {
      const claim = await take(contender("a"), "1");
      await releaseClaim(contender("b"), await take(contender("b"), "2", { after: "1" }));
      const before = writesOf(fake).length;
      const refused = await refusal(requireClaim(contender("a"), claim));
      return { refused, more: writesOf(fake).length - before };
    });
    expect(result).toMatchObject({
      refused: {
        exitCode: 24,
        message:
          "The claim on issue-12 is not ours any more: another run has worked on it since. Nothing was pushed.",
      },
      more: 0,
    });
  });

  test("whose ref somebody deleted is lost", async () => {
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

  test("is not believed to be lost because of an answer that lags behind", async () => {
    const { result } = await claiming(async (contender, fake) => {
      const claim = await take(contender("a"), "1");
      breakFirst(fake, { match: /GET .*\/git\/ref\//, kind: "stale-read" });
      return [claim, await requireClaim(contender("a"), claim)];
    });
    expect(result[1]).toEqual(result[0]);
  });
});

describe("a claim is released", () => {
  test("once, and then free for anybody", async () => {
    const { result, fake } = await claiming(async (contender) => {
      const claim = await take(contender("a"), "1");
      const kinds = [await releaseClaim(contender("a"), claim)];
      kinds.push(await releaseClaim(contender("a"), claim));
      return [...kinds, await take(contender("b"), "2")];
    });
    expect(result).toMatchObject([{ kind: "released" }, { kind: "released" }, { item }]);
    expect(writesOf(fake)).toHaveLength(7);
  });

  test("by whoever holds it: what is somebody else's is left alone, and what is gone stays gone", async () => {
    const { result, fake } = await claiming(async (contender, fake) => {
      const claim = await take(contender("a"), "1");
      const theirs = await take(contender("b"), "2", { after: "1" });
      const foreign = await releaseClaim(contender("a"), claim);
      const standing = fake.state.git.refs[ref] === theirs.commit;
      delete fake.state.git.refs[ref];
      return [foreign, standing, await releaseClaim(contender("a"), claim)];
    });
    expect(result).toEqual([{ kind: "foreign" }, true, { kind: "gone" }]);
    expect(fake.state.git.refs).toEqual({});
  });

  test("also when the answer got lost", async () => {
    const { result } = await claiming(async (contender, fake) => {
      const claim = await take(contender("a"), "1");
      breakFirst(fake, { match: /PATCH/, kind: "reset-after" });
      return [await releaseClaim(contender("a"), claim), await take(contender("b"), "2")];
    });
    expect(result).toMatchObject([{ kind: "released" }, { item }]);
  });
});

test("what a run had last is found by its name, in newer issues first", async () => {
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
