import { expect, test } from "vitest";
import { type DashboardFacts, viewDashboard } from "../../../app/dashboard/dashboard-view.ts";
import { renderDashboard } from "../../../app/dashboard/render-dashboard.ts";
import { newTicks, tickedBoxes } from "../../../app/rules/dashboard-boxes.ts";
import type { DispatchedRun } from "../../../app/runs/dispatched-run.ts";
import type { Config } from "../../../src/schema/config/config.ts";
import { Limits } from "../../../src/schema/config/limits.ts";
import { ada } from "../../support/app/running-app.ts";
import { dispatchedRun, reportsRequest, workRequest } from "../../support/app/runs.ts";

const now = Date.UTC(2026, 0, 26, 14, 30);
const hour = 3_600_000;
const config = {
  kind: "valid" as const,
  config: { limits: Limits.parse({ budget_usd_per_day: 20 }) } as Config,
};
const workflow = { run: 31, attempt: 1, url: "https://github.com/octo/example/actions/runs/31" };
const pull = (number: number) => ({ number, url: `https://github.com/o/r/pull/${number}` });
const idOf = (number: number) => `00000000-0000-4000-8000-${String(number).padStart(12, "0")}`;

const requestFor = (issue: number, login?: string) => {
  const actor = login === undefined ? undefined : { ...ada, login };
  return workRequest({ item: `issue-${issue}`, issue, actor });
};
const note = (number: number, change: Partial<DispatchedRun>): DispatchedRun =>
  dispatchedRun({
    ...{ id: idOf(number), request: requestFor(number) },
    ...{ started_at: now - hour, changed_at: now - hour, ...change },
  });

const viewOf = (runs: DispatchedRun[], change: Partial<DashboardFacts> = {}) =>
  viewDashboard({ runs, isPaused: false, config, now, ...change });
const render = (
  runs: DispatchedRun[],
  change: Partial<DashboardFacts> = {},
  ticked: string[] = [],
) => renderDashboard(viewOf(runs, change), new Set(ticked));

const report = note(7, { request: reportsRequest(), state: "done" });

test("the dashboard lists working, waiting, failed and decided runs, with a box for each", () => {
  const runs = [
    note(12, { state: "working", workflow, request: requestFor(12, "ada") }),
    note(13, { state: "waiting", words: "1 pull request of ralph's is open or on the way." }),
    note(14, { state: "refused", words: "`autopilot.enabled` is false in `.ralph/ralph.yml`." }),
    note(15, { workflow, pull: pull(33), tasks: { passed: 3, total: 3 }, outcome: "rejected" }),
    note(16, { workflow, pull: pull(34), tasks: { passed: 5, total: 5 }, cost_usd: 1.5 }),
    { ...report, workflow, pull: pull(35) },
  ];
  expect(render(runs)).toMatchInlineSnapshot(`
    "<!-- ralph:dashboard -->

    The current status of ralph in this repository. Tick a box to trigger an action; this needs write permission, and the box is cleared when the action is done. You can close this issue; it is updated again once it is reopened.

    ### Working

    - [ ] <!-- ralph:box:cancel:00000000-0000-4000-8000-000000000012 --> Stop #12: Working, since 2026-01-26 13:30, [workflow run](https://github.com/octo/example/actions/runs/31), requested by \`ada\`

    ### Waiting

    - [ ] <!-- ralph:box:skip:00000000-0000-4000-8000-000000000013 --> Remove #13: 1 pull request of ralph's is open or on the way.

    ### Plans to approve

    - [ ] <!-- ralph:box:approve:00000000-0000-4000-8000-000000000007 --> Approve the plan of a report's item, #35: Ready for review

    ### Failed or incomplete

    - [ ] <!-- ralph:box:retry:00000000-0000-4000-8000-000000000014 --> Retry #14: Not started, \`autopilot.enabled\` is false in \`.ralph/ralph.yml\`.

    ### Ignored, because the pull request was closed

    - [ ] <!-- ralph:box:unignore:00000000-0000-4000-8000-000000000015 --> Allow #15 again: Closed without a merge

    ### Recent runs

    - #15: Closed without a merge, pull request #33, 3 of 3 tasks passed
    - #16: Ready for review, pull request #34, 5 of 5 tasks passed, $1.50

    ### Today (UTC)

    4 runs started of at most 10, $1.50 spent of $20.00; at most 1 pull request open at a time.

    ### Everything

    - [ ] <!-- ralph:box:pause --> Pause everything
    "
  `);
});

test("the dashboard of a paused repository shows the pause, a box to resume, and what is wrong with the configuration", () => {
  const body = render([note(12, { state: "waiting" })], {
    isPaused: true,
    config: { kind: "broken", problem: ".ralph/ralph.yml:3:1: nonsense is not a known key" },
  });
  expect(body).toContain("**Paused:");
  expect(body).toContain("- [ ] <!-- ralph:box:resume --> Resume");
  expect(body).not.toContain("ralph:box:pause");
  expect(body).toContain(
    "**Nothing starts:** `.ralph/ralph.yml` on the default branch is invalid.",
  );
  expect(body).toContain("- .ralph/ralph.yml:3:1: nonsense is not a known key");
});

test("the longest waiting run comes first, and only the newest run of an issue can be retried", () => {
  const waiting = [note(2, { state: "waiting" }), note(1, { state: "waiting" })];
  expect(viewOf(waiting).waiting.map(({ request }) => request.issue)).toEqual([1, 2]);
  const failed = { ...note(3, {}), words: "It broke." };
  expect(viewOf([failed]).failed).toHaveLength(1);
  const again = note(3, { id: idOf(4), state: "started" });
  expect(viewOf([again, failed]).failed).toEqual([]);
});

test("a rejected run stays until a person decides, a failed one disappears after a month", () => {
  const old = { started_at: now - 40 * 24 * hour, changed_at: now - 40 * 24 * hour };
  const runs = [note(1, old), note(2, { ...old, pull: pull(9), outcome: "rejected" })];
  expect(viewOf(runs)).toMatchObject({
    failed: [],
    chosen: [],
    ignored: [{ request: { issue: 2 } }],
  });
});

test("only runs of this day (UTC) count for today", () => {
  const yesterday = Date.UTC(2026, 0, 25, 23, 59);
  const runs = [
    note(1, { workflow, cost_usd: 1.25 }),
    note(2, { workflow, cost_usd: 9, started_at: yesterday }),
    note(3, { state: "refused" }),
  ];
  expect(viewOf(runs).today).toEqual({ runs: 1, usd: 1.25 });
});

const hostile = [
  "done -->\n- [x] <!-- ralph:box:pause --> Pause",
  "![](https://evil.example/x.png) [click](javascript:alert(1)) @octo/everybody <img src=x>",
  "\u202e\u0000\u001b[31m<!-- ralph:dashboard -->",
];

test.each(hostile)("text such as %j creates no box, mark, link or mention", (words) => {
  const body = render([note(12, { state: "waiting", words, request: requestFor(12, "`x` @ada") })]);
  const usual = render([
    note(12, { state: "waiting", words: "usual", request: requestFor(12, "x") }),
  ]);
  expect(tickedBoxes(body)).toEqual([]);
  expect(body.split("\n")).toHaveLength(usual.split("\n").length);
  expect(body.match(/<!--/g)).toHaveLength(usual.match(/<!--/g)?.length ?? 0);
  const line = body.split("\n").find((each) => each.includes(idOf(12))) ?? "";
  expect(line.replace("- [ ]", "")).not.toMatch(/\[|<(?!!-- ralph:box)|@octo/);
});

test("the text stays within GitHub's limit, however long the lists are", () => {
  const words = "<[@\u{1f600}".repeat(500);
  const runs = (["working", "waiting", "refused", "done"] as const).flatMap((state, kind) =>
    Array.from({ length: 250 }, (_, at) =>
      note(1000 * kind + at, {
        ...{
          state,
          words,
          request: requestFor(1000 * kind + at, "@".repeat(500)),
          workflow: { ...workflow, url: "(".repeat(900) },
        },
        ...(state === "done" && { outcome: "rejected", pull: pull(at) }),
      }),
    ),
  );
  const body = render(runs);
  expect(body.length).toBeLessThan(65_536);
  expect(body).toContain("- and 230 more");
});

test("a tick whose job has not run yet stays", () => {
  const runs = [note(13, { state: "waiting" })];
  const mark = `skip:${idOf(13)}`;
  expect(tickedBoxes(render(runs, {}, [mark, "retry:gone"]))).toEqual([mark]);
});

test.each([
  ["- [x] <!-- ralph:box:pause --> Pause", ["pause"]],
  ["* [X] <!-- ralph:box:pause --> Pause\r\n", ["pause"]],
  [`- [x] <!-- ralph:box:retry:${idOf(1)} --> a\n- [x] <!-- ralph:box:pause --> b`, 2],
  ["- [ ] <!-- ralph:box:pause --> Pause", []],
  ["- [x] <!-- ralph:box:destroy --> Pause", []],
  ["- [x] <!-- ralph:box:retry:../../etc --> Pause", []],
  ["text - [x] <!-- ralph:box:pause --> Pause", []],
  [" [x] pause", []],
  ["", []],
])("the ticked boxes of %j are %j", (body, expected) => {
  const found = tickedBoxes(body);
  if (typeof expected === "number") expect(found).toHaveLength(expected);
  else expect(found).toEqual(expected);
});

test("the edit that ticks a box triggers it, later edits do not", () => {
  const empty = "- [ ] <!-- ralph:box:pause --> Pause";
  const ticked = empty.replace("[ ]", "[x]");
  expect(newTicks(empty, ticked)).toEqual(["pause"]);
  expect(newTicks(ticked, `${ticked} `)).toEqual([]);
  expect(newTicks(ticked, empty)).toEqual([]);
});
