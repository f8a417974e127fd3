import { expect, onTestFinished } from "vitest";
import { thorough } from "../../setup/sampled.ts";
import { makeSession, startPublishing } from "../../support/app/publishing.ts";
import { eventually } from "../../support/app/running-app.ts";

thorough(
  "a plan that waits for approval becomes a draft, but not after a failed workflow",
  async () => {
    await using made = await makeSession({}, "--prd-mode", "interactive");
    const app = await startPublishing(made);
    onTestFinished(() => app[Symbol.asyncDispose]());
    await app.label();
    await eventually(() => expect(app.github.dispatches).toHaveLength(1));
    app.hold("issue-12", "50");
    const artifacts = [{ name: "ralph-session-50-1", zip: made.zip }];
    const jobs = [{ name: "ralph / Work", conclusion: "failure" }];
    await app.play({ run: 50, jobs, artifacts, conclusion: "failure" });
    await eventually(async () =>
      expect(await app.runs()).toMatchObject([
        { state: "done", words: "The run ended before it worked on any task." },
      ]),
    );
    expect(app.github.fake.state.pulls).toEqual([]);
    // A rerun finishes.
    app.hold("issue-12", "50");
    await app.play({ run: 50, attempt: 2, artifacts });
    await eventually(async () =>
      expect(await app.runs()).toMatchObject([
        { state: "done", pull: { number: 1 }, words: expect.stringContaining("`resume-from: 50`") },
      ]),
    );
    expect(app.github.fake.state.pulls).toMatchObject([
      { draft: true, body: expect.stringContaining("Nothing is built or proved yet") },
    ]);
  },
);
