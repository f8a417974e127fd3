import { expect, onTestFinished } from "vitest";
import { thorough } from "../../setup/sampled.ts";
import { makeSession, startPublishing } from "../../support/app/publishing.ts";
import { eventually } from "../../support/app/running-app.ts";
import { goodAgent } from "../../support/autopilot/project.ts";

const hourMs = 3_600_000;

/** The second task meets a usage limit that lasts for two hours. */
const limited = `[ "$task" = T-001 ] || { echo "Claude AI usage limit reached|$(($(date +%s) + 7200))"; exit 1; }
${goodAgent.implementation}`;

thorough(
  "a session with a usage limit is published as a draft, and continues once, with its item, when the limit ends",
  async () => {
    await using made = await makeSession({ agent: { implementation: limited } });
    const app = await startPublishing(made);
    onTestFinished(() => app[Symbol.asyncDispose]());
    const { github } = app;
    await app.label();
    await eventually(() => expect(github.dispatches).toHaveLength(1));
    app.hold("issue-12", "50");
    const artifacts = [{ name: "ralph-session-50-1", zip: made.zip }];
    await app.play({ run: 50, artifacts, jobs: [{ name: "ralph / Work", conclusion: "success" }] });
    await eventually(async () =>
      expect(await app.runs()).toMatchObject([
        { state: "publishing", words: expect.stringMatching(/is a draft.*continues then/) },
      ]),
    );
    expect(github.fake.state.pulls).toMatchObject([{ draft: true }]);
    const [{ id }] = (await app.runs()) as [{ id: string }];
    expect(app.claim("issue-12")).toMatchObject({ holder: id, state: "held" });
    expect(Date.parse(app.claim("issue-12").expires_at)).toBeGreaterThan(Date.now() + 2 * hourMs);
    const ada = { login: "ada", id: 5, type: "User" };
    const issue = { number: 12, state: "open", updated_at: "2026-01-27T10:00:00Z", user: ada };
    const comment = { id: 77, body: "/ralph hint Use tabs.", user: ada };
    await app.send("issue_comment", { action: "created", issue, comment });
    await eventually(() =>
      expect(github.fake.state.comments.map(({ body }) => body)).toContainEqual(
        expect.stringContaining("this takes effect with its next part"),
      ),
    );
    await app.stop();
    app.pass(2 * hourMs);
    await app.start();
    await eventually(() => expect(github.dispatches).toHaveLength(2));
    await eventually(async () =>
      expect(await app.runs()).toMatchObject([{ state: "started", after: 50 }]),
    );
    const { workflow, inputs } = github.dispatches[1] ?? {};
    expect([workflow, inputs]).toEqual([
      "ralph.yml",
      {
        command: "run",
        "run-id": id,
        publisher: "app",
        "resume-from": "50",
        orders: "77",
        claim: expect.stringMatching(/^issue-12:[0-9a-f]{40}$/),
      },
    ]);
    // The event of the previous workflow arrives once more.
    await app.play({ run: 50, artifacts });
    app.hold("issue-12", "51");
    await app.play({ run: 51, conclusion: "cancelled" });
    await eventually(async () => expect(await app.runs()).toMatchObject([{ state: "done" }]));
    await app.stop();
    expect(github.dispatches).toHaveLength(2);
    expect(app.claim("issue-12")).toMatchObject({ state: "released" });
  },
);
