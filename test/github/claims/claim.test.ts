import { describe, expect, test } from "vitest";
import { takeClaim, type WantedClaim } from "../../../src/github/claims/claim.ts";
import { parseClaim } from "../../../src/github/claims/claim-note.ts";
import type { ClaimDeps } from "../../../src/github/claims/claim-ref.ts";
import { claiming, writesOf } from "../../support/github/claiming.ts";
import type { FakeGitHub } from "../../support/github/fake-github.ts";
import { fakeClock } from "../../support/github/fake-time.ts";
import { breakFirst } from "../../support/github/publishing.ts";

const item = "issue-12";
const ref = `refs/ralph/claims/${item}`;
const hourMs = 3_600_000;
/** A commit that another program made. */
const foreign = "f".repeat(40);

const wanted = (holder: string, more: Partial<WantedClaim> = {}): WantedClaim => ({
  item,
  holder,
  url: `https://github.com/o/r/actions/runs/${holder}`,
  leaseMs: hourMs,
  ...more,
});

const take = (deps: ClaimDeps, holder: string, more?: Partial<WantedClaim>) =>
  takeClaim(deps, wanted(holder, more)).catch((error: unknown) => error);

/** The note the ref points to, and its commit's parents. */
function claimAt({ state: { git } }: FakeGitHub) {
  const commit = git.commits[git.refs[ref] ?? ""];
  return commit && { note: parseClaim(commit.message, item), parents: commit.parents };
}

test("a free item is taken with six requests: its ref, and overlapping items before and after", async () => {
  const { result, fake } = await claiming((contender) => take(contender("a"), "1"));
  const { refs, commits } = fake.state.git;
  const commit = refs[ref] ?? "";
  const until = expect.stringMatching(/^2026-01-25T16:00:0/);
  expect(result).toEqual({ kind: "taken", claim: { item, commit }, until });
  expect(commits[commit]?.parents).toEqual([]);
  expect(commits[commit]?.message.replace(/:0\d\.\d{3}Z/g, ":00.000Z")).toBe(
    `ralph: workflow run 1 works on issue-12 until 2026-01-25T16:00:00.000Z

{"item":"issue-12","holder":"1","url":"https://github.com/o/r/actions/runs/1","expires_at":"2026-01-25T16:00:00.000Z","state":"held"}
`,
  );
  expect(writesOf(fake)).toEqual(["POST trees", "POST commits", "POST refs"]);
  expect(fake.seen).toHaveLength(6);
  expect(fake.violations).toEqual([]);
});

test("a claimed item is refused with exit 24, its holder, the end of the lease and a remedy", async () => {
  const { result, fake } = await claiming(async (contender) => {
    await take(contender("a"), "1");
    return take(contender("b"), "2");
  });
  expect(result).toMatchObject({
    reason: "claim",
    exitCode: 24,
    message: expect.stringMatching(
      /^issue-12 is claimed by workflow run 1 \(https:\/\/github\.com\/o\/r\/actions\/runs\/1\) until 2026-01-25T16:00:\S+Z at the latest\.$/,
    ),
    remedy: expect.stringMatching(
      /^Wait .*`gh api -X DELETE repos\/o\/c\d+-b\/git\/refs\/ralph\/claims\/issue-12`$/,
    ),
  });
  expect(writesOf(fake)).toHaveLength(3);
});

test("a holder's name cannot inject terminal or workflow commands", async () => {
  const { result } = await claiming(async (contender) => {
    await take(contender("a"), "\u001b[2Japp\n::error::x", { url: "https://x/\n::warning::y" });
    return take(contender("b"), "2");
  });
  expect(result).toMatchObject({
    message: expect.stringMatching(
      /^issue-12 is claimed by app ::error::x \(https:\/\/x\/ ::warning/,
    ),
  });
});

describe("an item that was claimed before", () => {
  test("is taken by the same holder again, as a re-run of a workflow does", async () => {
    const { result, fake } = await claiming(async (contender) => {
      await take(contender("a"), "1");
      return take(contender("a"), "1");
    });
    expect(result).toMatchObject({ kind: "taken" });
    expect(claimAt(fake)?.parents).toHaveLength(1);
    expect(writesOf(fake).slice(3)).toEqual(["POST commits", "PATCH refs/ralph/claims/issue-12"]);
  });

  test("is taken by the holder's successor, and by no other run", async () => {
    const { result, fake } = await claiming(async (contender) => {
      await take(contender("a"), "1");
      const other = await take(contender("b"), "2", { predecessor: "7" });
      return [other, await take(contender("c"), "3", { predecessor: "1" })];
    });
    expect(result).toMatchObject([{ exitCode: 24 }, { kind: "taken" }]);
    expect(claimAt(fake)?.note).toMatchObject({ holder: "3", state: "held" });
  });

  test("is taken by anyone a minute after its lease, and not before", async () => {
    const { result } = await claiming(async (contender) => {
      await take(contender("a"), "1");
      await fakeClock.sleep(hourMs + 30_000);
      const early = await take(contender("b"), "2");
      await fakeClock.sleep(40_000);
      return [early, await take(contender("b"), "2")];
    });
    expect(result).toMatchObject([{ exitCode: 24 }, { kind: "taken" }]);
  });
});

test.each([
  ["a merge commit", "Merge pull request #12"],
  ["a claim on another item", '{"item":"issue-13","holder":"1","url":"","state":"released"}'],
  ["a claim in an unknown form", '{"item":"issue-12","holder":"1","state":"paused"}'],
  ["broken JSON", '{"item":'],
])(
  "a ref that points to %s is never taken, and the error shows how to free it",
  async (_, message) => {
    const { result, fake } = await claiming(async (contender, { state: { git } }) => {
      git.commits[foreign] = { message, tree: "t", parents: [] };
      git.refs[ref] = foreign;
      await fakeClock.sleep(hourMs);
      return take(contender("a"), "1");
    });
    expect(result).toMatchObject({
      exitCode: 24,
      message: expect.stringMatching(
        /^refs\/ralph\/claims\/issue-12 does not point to a readable claim/,
      ),
      remedy: expect.stringContaining("gh api -X DELETE"),
    });
    expect(writesOf(fake)).toEqual([]);
  },
);

test("an unknown item is refused without a request", async () => {
  const { result, fake } = await claiming((contender) =>
    take(contender("a"), "1", { item: "../heads/main" }),
  );
  expect(result).toMatchObject({ exitCode: 1 });
  expect(fake.seen).toEqual([]);
});

describe("an answer that leaves the outcome open", () => {
  test.each(["5xx-after", "reset-after", "hang-after"] as const)(
    "%s is followed by a read, which finds the item taken",
    async (kind) => {
      const { result, fake } = await claiming(async (contender, fake) => {
        breakFirst(fake, { match: /POST .*\/git\/refs$/, kind });
        const first = await take(contender("a"), "1");
        breakFirst(fake, { match: /PATCH/, kind });
        return [first, await take(contender("a"), "1")];
      });
      expect(result).toMatchObject([{ kind: "taken" }, { kind: "taken" }]);
      expect(writesOf(fake).filter((write) => write === "POST refs")).toHaveLength(1);
    },
  );

  test("before anything was done is reported, and leaves the item free", async () => {
    const { result, fake } = await claiming(async (contender, fake) => {
      breakFirst(fake, { match: /POST .*\/git\/refs$/, kind: "reset-before" });
      const first = await take(contender("a"), "1");
      const left = Object.keys(fake.state.git.refs);
      return [first, left, await take(contender("b"), "2")];
    });
    expect(result).toMatchObject([{ exitCode: 14 }, [], { kind: "taken" }]);
    expect(claimAt(fake)?.note?.holder).toBe("2");
  });

  test("leaves the item to a run that was faster", async () => {
    const { result, fake } = await claiming(async (contender, fake) => {
      let isFirst = true;
      fake.breakBy(({ method, path }) => {
        if (method !== "POST" || !path.endsWith("/git/refs") || !isFirst) return undefined;
        isFirst = false;
        const { refs, commits } = fake.state.git;
        const [ours = ""] = Object.keys(commits);
        const message = commits[ours]?.message.replaceAll('"1"', '"2"') ?? "";
        commits[foreign] = { message, tree: "t", parents: [] };
        refs[ref] = foreign;
        return "5xx-before";
      });
      return take(contender("a"), "1");
    });
    expect(result).toMatchObject({ exitCode: 24, message: expect.stringContaining("run 2 (") });
    expect(fake.state.git.refs[ref]).toBe(foreign);
  });
});

test("a token without write access fails at once, with the missing permission", async () => {
  const { result, fake } = await claiming(async (contender, fake) => {
    fake.breakBy(({ method }) => (method === "POST" ? "401" : undefined));
    return take(contender("a"), "1");
  });
  expect(result).toMatchObject({ exitCode: 14, remedy: expect.stringContaining("`github-token`") });
  expect(fake.seen).toHaveLength(3);
});
