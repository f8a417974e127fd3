import { expect, test } from "vitest";
import type { DispatchedRun } from "../../../app/runs/dispatched-run.ts";
import {
  answers,
  failed,
  say,
  sent,
  startCommented,
  thread,
  workflow,
} from "../../support/app/commented-app.ts";
import { self } from "../../support/app/github.ts";
import { eventually, settled } from "../../support/app/running-app.ts";
import { dispatchedRun } from "../../support/app/runs.ts";
import type { FakePull } from "../../support/github/fake-state.ts";

const hoursAgo = (hours: number) => Date.now() - hours * 3_600_000;
const timeout = 60_000;
const startWith = (...runs: DispatchedRun[]) => startCommented({ runs });

/** An open pull request by the App. */
const ownPull = (number: number): FakePull => ({
  ...{ number, node_id: `PR_${number}`, html_url: `https://g/${number}`, state: "open" },
  ...{ draft: true, title: "Ralph: x", user: self, merged_at: null },
  body: "<!-- ralph:run:20260120-100000-abc123 item:x report:y -->",
  head: { ref: "ralph/x", sha: "c".repeat(40), repo: { full_name: "octo/example" } },
  base: { ref: "main", sha: "b".repeat(40), repo: { full_name: "octo/example" } },
  created_at: "2026-01-20T10:00:00Z",
});

test(
  "retrying a failed task continues its session, although the session's own pull request is open",
  async () => {
    const pull = { number: 40, url: "u" };
    const app = await startWith(dispatchedRun({ ...failed, pull }));
    app.github.fake.state.pulls.push(ownPull(40));
    const comment = await say(app, "/ralph retry T-003");
    await eventually(() => expect(sent(app)).toHaveLength(1));
    expect(sent(app)).toEqual([
      expect.objectContaining({ "resume-from": "31", orders: String(comment) }),
    ]);
    const notes = await app.store.notes.list({ kind: "run", limit: 9 });
    expect(notes[0]?.data).toMatchObject({
      ...{ state: "started", after: 31, pull, request: { issue: 12 } },
      orders: [{ comment, verb: "retry" }],
    });
    expect(await app.store.notes.get("orders", "7#12")).toBeUndefined();
    // Another run must wait for it.
    const issue = { ...thread, number: 13 };
    await say(app, "/ralph run", { issue });
    expect(sent(app)).toHaveLength(1);
    expect(answers(app).at(-1)).toContain("Waiting");
  },
  timeout,
);

test(
  "comments without a running workflow apply to the next start, all of them and once",
  async () => {
    const app = await startWith();
    const hint = await say(app, "/ralph hint Use the new parser.");
    const budget = await say(app, "/ralph budget 5");
    expect(sent(app)).toEqual([]);
    expect(answers(app)).toEqual([
      expect.stringContaining("takes effect with the next start here"),
      expect.stringContaining("may cost $5.00 in total"),
    ]);
    await say(app, "/ralph run");
    await eventually(() => expect(sent(app)).toHaveLength(1));
    expect(sent(app)[0]).toMatchObject({ "issue-number": "12" });
    expect(sent(app)[0]?.orders).toBe([hint, budget].join(","));
    await settled(app.store);
    expect(await app.store.notes.get("orders", "7#12")).toBeUndefined();
  },
  timeout,
);

test(
  "comments during a workflow are queued, and the answer says when they take effect",
  async () => {
    const app = await startWith(dispatchedRun({ state: "working", workflow }));
    const skip = await say(app, "/ralph skip T-003");
    const again = await say(app, "/ralph retry T-001");
    expect(answers(app)).toEqual([
      expect.stringMatching(/T-003 is skipped.*with its next part/),
      expect.stringMatching(/T-001 is tried again\. .*with its next part/),
    ]);
    expect(sent(app)).toEqual([]);
    expect((await app.store.notes.get("orders", "7#12"))?.data).toEqual([
      { comment: skip, verb: "skip" },
      { comment: again, verb: "retry" },
    ]);
  },
  timeout,
);

test(
  "a resumed session keeps its earlier steering comments, also from its pull request",
  async () => {
    const orders = [{ comment: 7, verb: "hint" as const }];
    const pull = { number: 40, url: "u" };
    const app = await startWith(dispatchedRun({ ...failed, orders, pull }));
    const issue = { ...thread, number: 40, pull_request: {} };
    const comment = await say(app, "/ralph retry", { issue });
    await eventually(() => expect(sent(app)).toHaveLength(1));
    expect(sent(app)[0]?.orders).toBe(`7,${comment}`);
  },
  timeout,
);

test.each<[string, Partial<DispatchedRun>]>([
  ["whose pull request was merged", { ...failed, outcome: "merged" }],
  ["whose session is gone", { ...failed, workflow: { ...workflow, run: 32 } }],
])(
  "a task of a run %s cannot be retried, and a plain retry starts over",
  async (_, change) => {
    const app = await startWith(dispatchedRun({ ...change, started_at: hoursAgo(30) }));
    await say(app, "/ralph retry T-003");
    expect(answers(app)).toEqual([expect.stringContaining("no session to retry")]);
    expect(sent(app)).toEqual([]);
    await say(app, "/ralph retry");
    await eventually(() => expect(sent(app)).toHaveLength(1));
    expect(sent(app)[0]).not.toHaveProperty("resume-from");
  },
  timeout,
);

test(
  "a person without write permission is told so once, a bot never, and nothing is queued",
  async () => {
    const app = await startWith(dispatchedRun(failed));
    const eve = { login: "eve", id: 6, type: "User" } as const;
    app.github.fake.state.permissions.eve = {
      ...{ permission: "read", role_name: "triage", user: { type: "User", id: 6 } },
    };
    const bot = { login: "helper[bot]", id: 8, type: "Bot" } as const;
    for (const user of [eve, bot]) {
      for (const words of ["skip T-001", "hint x", "budget 100", "retry T-001"]) {
        await say(app, `/ralph ${words}`, { user });
      }
    }
    expect(answers(app)).toEqual([expect.stringContaining("need write permission")]);
    expect(sent(app)).toEqual([]);
    expect(await app.store.notes.list({ kind: "orders", limit: 9 })).toEqual([]);
  },
  timeout,
);
