import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Fact } from "../../../src/core/state/event.ts";
import {
  maxBodyBytes,
  type PullBody,
  renderPullBody,
} from "../../../src/views/pull-request/pull-body.ts";
import { parsePullMarker } from "../../../src/views/pull-request/pull-marker.ts";
import { summarize } from "../../../src/views/summary/summary.ts";
import {
  agentEnd,
  criteriaEnd,
  gateEnd,
  passing,
  start,
  task,
} from "../../support/builders/session.ts";
import { hostileText } from "../job/hostile-text.ts";
import { realisticRun } from "../session-files/realistic-run.ts";
import { reportedRun } from "./reported-run.ts";

const marker = { run: "20260125-143052-a7b3c9", item: "f00d" };
const asked = {
  priority_item: "Login is slow",
  description: "Make it fast.\n\nAsk @octo.",
  rationale: "It fixes #3.",
};
const story: PullBody = { summary: summarize(reportedRun), requested: asked, marker };

test("the body shows the maintainers' part, request, remaining work, tasks, proofs and cost", () => {
  const body = renderPullBody({
    ...story,
    bodyTemplate: "## For reviewers\n\n{task_summary}\n\n{unknown}",
    budgetUsd: 2,
    issue: 7,
    trace: [{ source: "reports/2026-01-24.md, lines 12 to 18", tasks: ["T-002", "T-003"] }],
    flagged: [{ path: "package.json", message: "is a manifest" }],
    journal: "12:abcd",
  });
  expect(body).toMatchInlineSnapshot(`
    "## For reviewers

    - [x] T-001: Title of T-001
    - [x] T-002: Add login | logout
    - [ ] T-003: Title of T-003
    - [ ] T-004: Title of T-004

    {unknown}

    **2 of 4 tasks passed** in 1 iteration, 12.0 s, $0.50 of a budget of $2.00. Proved in place: on the machine where the agents worked.

    ### What was asked

    **Login is slow**

    Make it fast.

    Ask \`@octo\`.

    It fixes \`#3\`.

    ### What is missing

    - T-003 (blocked): No change in 3 iterations. Last failure: ask \`@octo\` about fixes \`#3\` (its work is kept as tree \`f1f1f1f1f1f1f1f1f1f1f1f1f1f1f1f1f1f1f1f1\`)
    - T-004 (pending): not done
    - T-002: 1 criterion was left to the review and not proved by execution

    ### Please look at

    - \`package.json\` is a manifest

    ### Tasks

    | Task | Title | State | Iterations | Time | Cost | Commit |
    | --- | --- | --- | --- | --- | --- | --- |
    | T-001 | Title of T-001 | passed before | 0 | - | - | - |
    | T-002 | Add login \\| logout | passed | 1 | 6.0 s | - | \`c2c2c2c2c2c2\` |
    | T-003 | Title of T-003 | blocked | 0 | 2.0 s | $0.50 | - |
    | T-004 | Title of T-004 | pending | 0 | - | - | - |

    ### Criteria and proofs

    <details><summary>T-002: passed, criteria proved 0/1, 1 approved by the reviewer</summary>

    **T-002**: Add login | logout

    |  | Criterion | Shown by | Proof |
    | --- | --- | --- | --- |
    | 1 | It works | the review alone |  |

    </details>

    <details><summary>T-003: blocked, no criterion checked</summary>

    **T-003**: Title of T-003

    |  | Criterion | Shown by | Proof |
    | --- | --- | --- | --- |
    | 1 | It works | not checked |  |

    </details>

    ### Gates against the start commit

    | Task | Gate | In place | Start commit | New failures | Time |
    | --- | --- | --- | --- | --- | --- |
    | T-002 | \`test\` | passed | - | - | 10 ms |

    ### Cost

    | Role | Calls | Turns | Tokens | Cost |
    | --- | --- | --- | --- | --- |
    | implementation | 2 | - | - | $0.50 |
    | test writing | 1 | - | - | unknown |
    | review | 1 | - | - | unknown |

    ### Where it comes from

    - \`reports/2026-01-24.md, lines 12 to 18\`: \`T-002\` in \`c2c2c2c2c2c2\`, \`T-003\`
    - Run \`20260125-143052-a7b3c9\`, session \`20260125-143052-a7b3c9\`: from \`c0c0c0c0c0c0\` to \`c2c2c2c2c2c2\`, journal \`12:abcd\`

    Part of #7.

    <!-- ralph:run:20260125-143052-a7b3c9 item:f00d report:- -->
    "
  `);
});

describe("the level of the proofs", () => {
  const proved = { ...criteriaEnd("T-001", "proved") };
  const facts: Fact[] = [
    ...passing("T-001").map((fact) => (fact.type === "criteria_end" ? proved : fact)),
  ];
  const summary = summarize(realisticRun([task("T-001")], facts));
  const criteria = [{ task: "T-001", index: 1, text: "It works", ok: true }];
  const gates = [{ name: "test", status: "passed", ms: 5, ok: true } as const];
  const room = { kind: "proved", gates, criteria, problems: [] } as const;

  test("is in place without a clean room", () => {
    const body = renderPullBody({ ...story, summary });
    expect(body).toContain("Proved in place: on the machine where the agents worked.");
    expect(body).toContain("| 1 | It works | execution, in place |");
    expect(body).not.toContain("Proved in a clean room");
  });

  test("is the clean room only for what ran there", () => {
    const body = renderPullBody({ ...story, summary, cleanRoom: room });
    expect(body).toContain("Proved in a clean room:");
    expect(body).toContain("| 1 | It works | execution, clean room |");
    expect(body).toContain("| T-001 | `test` | passed | - | - | passed |");
    const none = renderPullBody({ ...story, summary, cleanRoom: { ...room, criteria: [] } });
    expect(none).toContain("| 1 | It works | execution, in place |");
  });

  test("is refuted where the clean room says so", () => {
    const refuted = {
      kind: "refuted",
      gates: [{ ...gates[0], ok: false }],
      criteria: [{ ...criteria[0], ok: false }],
      problems: ["The chain is broken at 3"],
    } as unknown as PullBody["cleanRoom"];
    const body = renderPullBody({ ...story, summary, cleanRoom: refuted });
    expect(body).toContain("**Refuted in the clean room**");
    expect(body).toContain("| 1 | It works | refuted in the clean room |");
    expect(body).toContain("- Clean room: The chain is broken at 3");
    expect(body).toContain("- Clean room: gate test does not hold");
    expect(body).toContain("- Clean room: T-001 criterion 1 does not hold");
  });

  test("names the tests of the user interface that ran again, and what the fresh machine lacked", () => {
    const program = { level: "ui", red: [], missing: ["the suite of Robot Framework (no robot)"] };
    const cleanRoom = { ...room, program } as PullBody["cleanRoom"];
    expect(renderPullBody({ ...story, summary, cleanRoom })).toContain(
      "Proved in a clean room: gates, criteria, services and browser tests ran again on a fresh machine, without agents. Not run there: the suite of Robot Framework (no robot).",
    );
  });

  test("is refuted by a red test of the user interface alone, which is named", () => {
    const program = { level: "ui", red: ["browser test login"], missing: [] };
    const cleanRoom = { ...room, kind: "refuted", program } as PullBody["cleanRoom"];
    const body = renderPullBody({ ...story, summary, cleanRoom });
    expect(body).toContain("on a fresh machine the program fails as it runs.");
    expect(body).toContain("- Clean room: browser test login does not hold");
  });
});

test("a description that equals the item is shown once", () => {
  const line = "People log in";
  const body = renderPullBody({ ...story, requested: { priority_item: line, description: line } });
  expect(body.split(line)).toHaveLength(2);
});

test("tasks with the same news share a line, those with the same gates a row", () => {
  const ids = ["T-001", "T-002", "T-003", "T-005"];
  const tasks = [...ids, "T-007", "T-008"].map((id) => task(id));
  const summary = summarize(
    realisticRun(
      tasks,
      ids.flatMap((id) => passing(id)),
    ),
  );
  const body = renderPullBody({ ...story, summary });
  expect(body).toContain(
    "- T-001 to T-003, T-005: 4 criteria were left to the review and not proved by execution",
  );
  expect(body).toContain("- T-007, T-008 (pending): not done");
  expect(body).toContain("| T-001 to T-003, T-005 | `test` | passed | - | - | 40 ms |");
});

test("an issue is closed only by work that is complete", () => {
  const done: Fact[] = [
    ...passing("T-001"),
    { type: "session_end", reason: "all_done", message: "Done." },
  ];
  const summary = summarize(realisticRun([task("T-001")], done));
  expect(renderPullBody({ ...story, summary, issue: 7 })).toMatch(/^Closes #7$/m);
  const partial = renderPullBody({ ...story, issue: 7 });
  expect(partial).toMatch(/^Part of #7\.$/m);
  expect(partial).not.toMatch(/closes #7/i);
});

test("whatever agents and users write, it neither notifies, closes, links nor shows an image", () => {
  fc.assert(
    fc.property(hostileText, (text) => {
      const facts: Fact[] = [
        start("T-001"),
        agentEnd("T-001"),
        gateEnd("T-001", { gate: text, status: "failed", detail: text }),
        {
          ...criteriaEnd("T-001"),
          results: [{ number: 1, text, kind: "judged", verdict: "failed", detail: text }],
        },
        { type: "warning", message: text },
        { type: "task_blocked", task: "T-001", message: text },
        { type: "session_end", reason: "blocked", message: text },
      ];
      const tasks = [task("T-001", { title: `T ${text}`, acceptanceCriteria: [text] })];
      const body = renderPullBody({
        ...story,
        summary: summarize(realisticRun(tasks, facts)),
        requested: {
          priority_item: text,
          description: text,
          rationale: text,
          acceptance_criteria: [text],
        },
        bodyTemplate: "{priority_item}\nfixes {description}\n{rationale}\n{acceptance_criteria}",
        trace: [{ source: text, tasks: [text] }],
        flagged: [{ path: text, message: text }],
        issue: 7,
      });
      const outside = body.replace(/`[^`\n]*`/g, "").replace(/\\[\\<[\]|]/g, "\0");
      expect(outside.match(/<\/?[a-z!?][^>\n]*>?/gi)).toEqual([
        "<details>",
        "<summary>",
        "</summary>",
        "</details>",
        "<!-- ralph:run:20260125-143052-a7b3c9 item:f00d report:- -->",
      ]);
      expect(outside).not.toMatch(/(?<![\w/.-])@[a-z0-9]|(?:https?|ftp|mailto|xmpp):|www\.|\]\(/i);
      // A code span with a letter in it stands between the word and the number on the page as well.
      const read = body.replace(/`[^`\n]*[a-z0-9][^`\n]*`/gi, "c").replace(/`[^`\n]*`/g, "");
      expect(read).not.toMatch(/(?:close[sd]?|fix(?:e[sd])?|resolve[sd]?)[^a-z0-9\n]*#\d/i);
      expect(body).not.toMatch(/^\s*(?:```|~~~)/m);
      expect(parsePullMarker(body)).toEqual(marker);
    }),
  );
});

test("a body never exceeds GitHub's limit; tasks are cut last, marker and issue never", () => {
  const tasks = Array.from({ length: 400 }, (_, at) =>
    task(`T-${String(at + 1).padStart(3, "0")}`, { acceptanceCriteria: ["€&".repeat(250)] }),
  );
  const facts = tasks.flatMap(({ id }): Fact[] => [start(id), agentEnd(id)]);
  const body = renderPullBody({
    ...story,
    summary: summarize(realisticRun(tasks, facts)),
    bodyTemplate: "line\n".repeat(50_000),
    issue: 7,
  });
  expect(Buffer.byteLength(body)).toBeLessThanOrEqual(maxBodyBytes);
  expect(Buffer.byteLength(body)).toBeGreaterThan(maxBodyBytes * 0.9);
  expect(body).toContain("| T-400 |");
  expect(body).toMatch(/There was no room for \d+ entries of "template", .*: see `ralph report`\./);
  expect(body).toMatch(/^Part of #7\.$/m);
  expect(parsePullMarker(body)).toEqual(marker);
});
