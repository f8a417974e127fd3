import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { sampled, thorough } from "../../setup/sampled.ts";
import { self } from "../../support/app/github.ts";
import {
  type MadeSession,
  makeSession,
  type PlayedRun,
  type PublishingApp,
  startPublishing,
} from "../../support/app/publishing.ts";
import { eventually } from "../../support/app/running-app.ts";

let made: MadeSession;
beforeAll(async () => {
  made = await makeSession();
});
afterAll(() => made[Symbol.asyncDispose]());

const timeout = 90_000;
async function startLabeled(): Promise<PublishingApp> {
  const app = await startPublishing(made);
  onTestFinished(() => app[Symbol.asyncDispose]());
  await app.label();
  await eventually(() => expect(app.github.dispatches).toHaveLength(1));
  return app;
}

const artifacts = (run: number) => [
  { name: `ralph-session-${run}-1`, zip: made.zip },
  { name: `ralph-proof-${run}-1`, zip: made.proof },
];

const mallory = { login: "mallory", id: 66, type: "User" };
const forged: [what: string, facts: Record<string, unknown>][] = [
  ["another file", { path: ".github/workflows/other.yml" }],
  ["another actor", { actor: mallory }],
  ["another App", { actor: { ...self, login: "ralph-test" } }],
  ["another branch", { head_branch: "mine" }],
  ["another event", { event: "push" }],
];

test(
  "a workflow run that pretends to belong to a run becomes a dead letter and changes nothing",
  async () => {
    const app = await startLabeled();
    for (const [index, [, facts]] of forged.entries()) {
      await app.play({ run: 60 + index, facts, artifacts: artifacts(60 + index) });
    }
    // A workflow run that names an unknown run is ignored.
    const other = "ralph-run:00000000-0000-8000-a000-000000000000";
    await app.play({ run: 70, facts: { display_title: other }, artifacts: artifacts(70) });
    await eventually(async () => expect(await app.dead()).toHaveLength(forged.length));
    for (const { kind, error } of await app.dead()) {
      expect([kind, error]).toEqual([
        "workflow",
        expect.stringMatching(/names the run .*, but the App did not start it/),
      ]);
    }
    expect(await app.runs()).toMatchObject([{ state: "started" }]);
    expect(app.github.fake.state.pulls).toEqual([]);
  },
  timeout,
);

type Foreign = [what: string, act: (app: PublishingApp) => void, words: RegExp];
const foreign: Foreign[] = [
  ["held by another run", (app) => app.hold("issue-12", "999"), /claimed by workflow run 999/],
  [
    "released by another run",
    (app) => app.hold("issue-12", "999", "released"),
    /another run has worked on it since/,
  ],
  [
    "deleted",
    (app) => void app.remoteGit("update-ref", "-d", "refs/ralph/claims/issue-12"),
    /was deleted/,
  ],
];
test.each(sampled(foreign, 1))(
  "an item whose claim was %s is not published, and the note has the reason",
  async (_, act, words) => {
    const app = await startLabeled();
    const before = app.remoteGit("for-each-ref", "refs/heads");
    act(app);
    const claims = app.remoteGit("for-each-ref", "refs/ralph");
    await app.play({ run: 50, artifacts: artifacts(50) });
    await eventually(async () => expect(await app.runs()).toMatchObject([{ state: "done" }]));
    expect((await app.runs())[0]?.words).toMatch(words);
    expect(app.remoteGit("for-each-ref", "refs/heads")).toBe(before);
    expect(app.remoteGit("for-each-ref", "refs/ralph")).toBe(claims);
    expect(app.github.fake.state.pulls).toEqual([]);
  },
  timeout,
);

thorough(
  "if one start led to two workflow runs, the one with the item is published",
  async () => {
    const app = await startLabeled();
    app.hold("issue-12", "51");
    const loser: PlayedRun = { run: 50, conclusion: "failure" };
    await app.play({ run: 51, action: "in_progress", facts: { status: "in_progress" } });
    await app.play(loser);
    await eventually(async () =>
      expect(await app.runs()).toMatchObject([{ workflow: { run: 51 } }]),
    );
    await app.play({ run: 51, artifacts: artifacts(51) });
    await eventually(async () =>
      expect(await app.runs()).toMatchObject([{ state: "done", pull: { number: 1 } }]),
    );
    expect(app.github.fake.state.pulls).toMatchObject([{ draft: false }]);
  },
  timeout,
);
