import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { thorough } from "../../setup/sampled.ts";
import {
  type MadeSession,
  makeSession,
  type PublishingApp,
  startPublishing,
} from "../../support/app/publishing.ts";
import { eventually } from "../../support/app/running-app.ts";
import { itemBranch } from "../../support/autopilot/project.ts";

let made: MadeSession;
beforeAll(async () => {
  made = await makeSession();
});
afterAll(() => made[Symbol.asyncDispose]());

const timeout = 90_000;

/** An App whose run has been started by a label. */
async function startLabeled(): Promise<PublishingApp> {
  const app = await startPublishing(made);
  onTestFinished(() => app[Symbol.asyncDispose]());
  await app.label();
  await eventually(() => expect(app.github.dispatches).toHaveLength(1));
  return app;
}

const session = (run: number, attempt = 1) => ({
  name: `ralph-session-${run}-${attempt}`,
  zip: made.zip,
});
const proof = (run: number, attempt = 1) => ({
  name: `ralph-proof-${run}-${attempt}`,
  zip: made.proof,
});

const ended = (app: PublishingApp) =>
  eventually(async () => expect(await app.runs()).toMatchObject([{ state: "done" }]));

test(
  "a label leads to one ready pull request with its record and archive, and the item is released",
  async () => {
    const app = await startLabeled();
    const { github, remoteGit } = app;
    await app.play({ run: 50, action: "in_progress" });
    app.hold("issue-12", "50");
    await app.play({ run: 50, artifacts: [proof(50), session(50)] });
    await ended(app);
    const { pulls, comments, checkRuns } = github.fake.state;
    expect(pulls).toMatchObject([
      { draft: false, head: { ref: itemBranch }, base: { ref: "main" } },
    ]);
    const last = remoteGit("diff", "--name-only", `${itemBranch}^`, itemBranch).split("\n");
    expect(last).toContainEqual(expect.stringMatching(/^\.ralph\/archive\/.*\/prd\.json$/));
    const record = JSON.parse(remoteGit("show", `${itemBranch}:${last.at(-1)}`));
    expect(record).toMatchObject({ proof: "clean_room", pr_created: true });
    expect(comments).toMatchObject([
      {
        issue: 12,
        body: expect.stringMatching(
          /\*\*Ready for review\*\*[\s\S]*ready for review[\s\S]*2 of 2 tasks/,
        ),
      },
      { issue: 1, body: expect.stringContaining("Tasks | 2 of 2 passed") },
    ]);
    expect(checkRuns).toMatchObject([{ conclusion: "success" }]);
    await eventually(() => expect(app.claim("issue-12")).toMatchObject({ state: "released" }));
    expect(await app.runs()).toMatchObject([
      { pull: { number: 1 }, tasks: { passed: 2, total: 2 }, workflow: { run: 50, attempt: 1 } },
    ]);
    // The same event under another id, after a restart.
    await app.stop();
    await app.start();
    await app.play({ run: 50, artifacts: [proof(50), session(50)] });
    await app.stop();
    expect([pulls, comments, checkRuns].map(({ length }) => length)).toEqual([1, 2, 1]);
    expect(await app.dead()).toEqual([]);
  },
  timeout,
);

thorough(
  "a token that expires halfway is replaced, and everything is published once",
  async () => {
    const app = await startLabeled();
    const { github } = app;
    const { more } = github;
    let refused = 0;
    github.more = (asked, seen) =>
      asked.endsWith("/pulls") && seen.method === "POST" && refused++ === 0
        ? { status: 401, body: { message: "Bad credentials" } }
        : more(asked, seen);
    app.hold("issue-12", "50");
    await app.play({ run: 50, artifacts: [proof(50), session(50)] });
    await ended(app);
    const tokens = github.server.seen.filter(({ path }) => path.endsWith("/access_tokens"));
    expect([refused, tokens.length]).toEqual([2, 3]);
    expect(github.fake.state.pulls).toMatchObject([{ draft: false }]);
  },
  timeout,
);

thorough(
  "without a clean room the pull request stays a draft, even if the bundle claims a proof",
  async () => {
    const app = await startLabeled();
    app.hold("issue-12", "50");
    const jobs = [{ name: "ralph / Work", conclusion: "success" }];
    await app.play({ run: 50, jobs, artifacts: [proof(50), session(50)] });
    await ended(app);
    expect(app.github.fake.state.pulls).toMatchObject([{ draft: true }]);
    expect((await app.runs())[0]?.words).toMatch(
      /is a draft: its work was not proved in a clean room/,
    );
  },
  timeout,
);
