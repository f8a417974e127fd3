import { expect, test } from "vitest";
import { releaseClaim, requireClaim, takeClaim } from "../../../src/github/claims/claim.ts";
import { parseClaim } from "../../../src/github/claims/claim-note.ts";
import type { ClaimDeps } from "../../../src/github/claims/claim-ref.ts";
import { createWorkRequest, type WorkRequest } from "../../../src/schema/work-request.ts";
import { claiming } from "../../support/github/claiming.ts";
import type { FakeGitHub } from "../../support/github/fake-github.ts";
import { fakeClock } from "../../support/github/fake-time.ts";

const hourMs = 3_600_000;
const report = `report-${"ab".repeat(8)}`;
type More = { predecessor?: string; request?: WorkRequest };

const take = (deps: ClaimDeps, item: string, holder: string, more: More = {}) =>
  takeClaim(deps, { item, holder, url: `https://g/${holder}`, leaseMs: hourMs, ...more }).catch(
    (error: unknown) => error,
  );

/** A request to choose among the reports and an issue. */
const among = (issue: number) =>
  createWorkRequest({
    ...{ command: "autopilot", item: "reports", trigger: "label" },
    ...{ issue, alternativeIssue: issue },
  });

function noteOf({ state: { git } }: FakeGitHub, item: string) {
  const message = git.commits[git.refs[`refs/ralph/claims/${item}`] ?? ""]?.message ?? "";
  return parseClaim(message, item);
}

test.each<[string, [string, number?], string, string]>([
  ["one report while all are claimed", ["reports"], report, "reports"],
  ["all reports while one of them is claimed", [report], "reports", report],
  ["an issue that the holder of the reports may choose", ["reports", 12], "issue-12", "reports"],
])("%s: refused, and nothing is written", async (_, [first, also], second, holder) => {
  const { result, fake } = await claiming(async (contender, { seen }) => {
    await take(contender("a"), first, "1", also === undefined ? {} : { request: among(also) });
    const before = seen.length;
    const refused = await take(contender("b"), second, "2");
    return [refused, seen.slice(before).filter(({ method }) => method !== "GET")];
  });
  expect(result).toMatchObject([
    { exitCode: 24, message: expect.stringContaining(`${holder} is claimed by workflow run 1`) },
    [],
  ]);
  expect(noteOf(fake, second)).toBeUndefined();
});

test("the reports with an issue are refused while that issue is claimed, but not because of another issue", async () => {
  const { result } = await claiming(async (contender) => {
    await take(contender("a"), "issue-12", "1");
    return [
      await take(contender("b"), "reports", "2", { request: among(12) }),
      await take(contender("b"), "reports", "2", { request: among(13) }),
      await take(contender("c"), "issue-14", "3"),
    ];
  });
  expect(result).toMatchObject([{ exitCode: 24 }, { kind: "taken" }, { kind: "taken" }]);
});

test("released and expired claims block no other run", async () => {
  const { result } = await claiming(async (contender) => {
    const { claim } = await takeClaim(contender("a"), {
      ...{ item: report, holder: "1", url: "", leaseMs: hourMs },
    });
    await releaseClaim(contender("a"), claim);
    const all = await take(contender("b"), "reports", "2");
    await fakeClock.sleep(hourMs + 70_000);
    return [all, await take(contender("c"), report, "3")];
  });
  expect(result).toMatchObject([{ kind: "taken" }, { kind: "taken" }]);
});

test("of two runs that take overlapping items at the same moment, each sees the other and releases its own", async () => {
  const { result, fake } = await claiming(async (contender, fake) => {
    let isFirst = true;
    fake.breakBy(({ method, path }) => {
      if (method !== "POST" || !path.endsWith("/git/refs") || !isFirst) return undefined;
      isFirst = false;
      // Another run comes between the read and the write.
      const { refs, commits, trees } = fake.state.git;
      const until = new Date(Date.now() + hourMs).toISOString();
      const note = { item: report, holder: "9", url: "u", expires_at: until, state: "held" };
      trees.t = true;
      commits["9".repeat(40)] = { message: JSON.stringify(note), tree: "t", parents: [] };
      refs[`refs/ralph/claims/${report}`] = "9".repeat(40);
      return undefined;
    });
    return take(contender("a"), "reports", "1");
  });
  expect(result).toMatchObject({ exitCode: 24, message: expect.stringContaining(report) });
  expect(noteOf(fake, "reports")).toMatchObject({ state: "released" });
});

test("the request passes with the claim to the successor, and not to the next run", async () => {
  const request = { ...among(12), textDigest: "0".repeat(64) };
  const { result, fake } = await claiming(async (contender, fake) => {
    await take(contender("a"), "reports", "app-1", { request });
    await take(contender("b"), "reports", "7", { predecessor: "app-1" });
    const taken = noteOf(fake, "reports");
    await fakeClock.sleep(hourMs + 70_000);
    await take(contender("c"), "reports", "8");
    return taken;
  });
  expect(result).toMatchObject({ holder: "7", request });
  expect(noteOf(fake, "reports")).toEqual({
    ...{ item: "reports", holder: "8", url: "https://g/8", state: "held" },
    expires_at: expect.any(String),
  });
});

test("an expired claim is not taken again while another run holds the same work", async () => {
  const { result } = await claiming(async (contender) => {
    const { claim } = await takeClaim(contender("a"), {
      ...{ item: "issue-12", holder: "1", url: "", leaseMs: hourMs },
    });
    await fakeClock.sleep(2 * hourMs);
    await take(contender("b"), "reports", "2", { request: among(12) });
    return requireClaim(contender("a"), claim).catch((error: unknown) => error);
  });
  expect(result).toMatchObject({ exitCode: 24, message: expect.stringContaining("reports") });
});
