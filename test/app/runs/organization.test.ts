import { expect, test } from "vitest";
import { isOnList } from "../../../app/rules/authority.ts";
import type { OrganizationFacts } from "../../../app/runs/organization-facts.ts";
import { judgeStart, ownerHoldReason } from "../../../app/runs/start-verdict.ts";
import { parseConfig, parseOrganization } from "../../../src/sources/config-file.ts";
import {
  ada,
  appConfig,
  eventually,
  settled,
  startTestApp,
} from "../../support/app/running-app.ts";

const { config } = parseConfig(Buffer.from(appConfig), "ralph.yml");
const facts = (change: Partial<OrganizationFacts>): OrganizationFacts => ({
  ...{ name: "octo/.github", isPaused: false, isListed: true, limits: {} },
  ...{ today: { runs: 3, usd: 7 }, ...change },
});
const judge = (organization: OrganizationFacts) =>
  judgeStart(
    { overridesRejection: true },
    {
      ...{ config, startedToday: [], spentToday: 0, openPulls: 0, isPaused: false },
      ...{ isRejected: false, isEdited: false, isClosed: false, organization },
    },
  );

test.each<[string, Partial<OrganizationFacts>, string, RegExp | undefined]>([
  ["has set nothing", {}, "start", undefined],
  ["has paused everything", { isPaused: true }, "waiting", /all repositories.*octo\/\.github/],
  [
    "has spent its budget",
    { limits: { budget_usd_per_day: 7 } },
    "waiting",
    /\$7\.00.*budget_usd_per_day.* is 7/,
  ],
  ["has money left", { limits: { budget_usd_per_day: 8 } }, "start", undefined],
  ["has started its runs", { limits: { runs_per_day: 3 } }, "waiting", /3 runs.*runs_per_day/],
  ["leaves the repository out", { isListed: false }, "refused", /leaves this repository out/],
])("an owner that %s decides about a start", (_, change, kind, words) => {
  const verdict = judge(facts(change));
  expect(verdict.kind).toBe(kind);
  if (words && verdict.kind !== "start") expect(verdict.reason).toMatch(words);
});

test("a session that has begun waits for the owner's pause and budget, not for its number of runs", () => {
  expect(ownerHoldReason(facts({ isPaused: true }))).toMatch(/paused/);
  expect(ownerHoldReason(facts({ limits: { budget_usd_per_day: 7 } }))).toMatch(/spent today/);
  expect(ownerHoldReason(facts({ limits: { runs_per_day: 3 } }))).toBeUndefined();
});

test.each<[string, readonly string[] | undefined, boolean]>([
  ["Octo/Shop", undefined, true],
  ["octo/Shop", ["shop"], true],
  ["octo/shop-web", ["shop-*"], true],
  ["octo/secret", ["*", "!secret"], false],
  ["octo/secret", ["!secret"], false],
  ["octo/shop", ["!secret"], true],
  ["octo/shop", [], false],
])("whether %s is on the list %j: %s", (repository, patterns, expected) => {
  expect(isOnList(patterns, repository)).toBe(expected);
});

test("every mistake in an owner's settings is named with its place", () => {
  const text = `version: "1"\nlimits: { runs_per_day: many }\ndefaults: { gates: {} }\n`;
  const read = () => parseOrganization(Buffer.from(text), "octo/.github: .ralph/organization.yml");
  expect(read).toThrow(/organization\.yml:2:.*runs_per_day[\s\S]*:3:.*gates/);
});

const settings = `version: "1"
defaults: { autopilot: { enabled: true }, limits: { runs_per_day: 1 } }
`;
const known = { installation: 3, id: 70, repository: "octo/.github" };
const issue = { state: "open", updated_at: "2026-01-20T10:00:00Z", user: ada };
const labelled = (number: number) => ({
  ...{ action: "labeled", issue: { ...issue, number }, label: { name: "ralph" } },
});

test("an owner's defaults count in a repository that leaves them out, and its pause holds all repositories", async () => {
  let isPaused = false;
  const app = await startTestApp({
    prepare: async ({ github, store }) => {
      github.files.set(".ralph/ralph.yml", appConfig.replace(/autopilot.*\n/, ""));
      const content = Buffer.from(settings).toString("base64");
      github.more = (asked) =>
        asked === "GET /repos/octo/.github/contents/.ralph%2Forganization.yml"
          ? { body: { type: "file", encoding: "base64", content } }
          : undefined;
      const data = { place: known, isPaused };
      await store.notes.put({ kind: "repository", id: "70", repository: "70", at: 1, data });
    },
  });
  await app.send("issues", labelled(12));
  await eventually(() => expect(app.github.dispatches).toHaveLength(1));
  isPaused = true;
  const data = { place: known, isPaused };
  await app.store.notes.put({ kind: "repository", id: "70", repository: "70", at: 1, data });
  await app.send("issues", labelled(13));
  await settled(app.store);
  expect(app.github.dispatches).toHaveLength(1);
  const runs = await app.store.notes.list({ kind: "run", limit: 9 });
  expect(runs.map(({ data: run }) => run)).toContainEqual(
    expect.objectContaining({ state: "waiting", words: expect.stringContaining("octo/.github") }),
  );
});
