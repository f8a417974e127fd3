import fc from "fast-check";
import { expect, test } from "vitest";
import type { Fact, RunTask } from "../../../src/core/state/event.ts";
import { maxSummaryBytes, renderJobSummary } from "../../../src/views/job/job-summary.ts";
import { summarize } from "../../../src/views/summary/summary.ts";
import {
  agentEnd,
  criteriaEnd,
  gateEnd,
  passing,
  start,
  task,
} from "../../support/builders/session.ts";
import { realisticEvents } from "../session-files/realistic-run.ts";
import { hostileText } from "./hostile-text.ts";

const place = { sessionDir: ".ralph-session" };
const output = { sha256: "d".repeat(64), bytes: 10 };

function summaryOf(tasks: RunTask[], facts: readonly Fact[]) {
  const history = realisticEvents(tasks, facts);
  const state = history.at(-1)?.state;
  if (!state) throw new Error("unreachable: there is always a session_start");
  return summarize(
    state,
    history.map(({ event }) => event),
  );
}
const pageOf = (tasks: RunTask[], facts: readonly Fact[], where = place) =>
  renderJobSummary(summaryOf(tasks, facts), where);

const begin = (id: string, model?: string): Fact => ({
  type: "agent_start",
  task: id,
  role: "implementation",
  iteration: 1,
  driver: "claude",
  ...(model && { model }),
  prompt: output,
});
const blocked: readonly Fact[] = [
  ...passing("T-002", { commit: "c2".repeat(20) }),
  start("T-003", "t1+"),
  begin("T-003", "opus"),
  agentEnd("T-003", { tree: "t3", usage: { cost_usd: 0.5 } }),
  gateEnd("T-003", { tree: "t3", status: "failed", fingerprints: ["a", "b"] }),
  {
    type: "baseline_end",
    gate: "test",
    key: "key-test",
    tree: "t0",
    status: "failed",
    fingerprints: ["a"],
    ms: 5,
  },
  { type: "warning", message: "no fatal gate ran" },
  { type: "task_blocked", task: "T-003", message: "Ask @octo", kept: "f1".repeat(20) },
  { type: "session_end", reason: "blocked", message: "Blocked: T-003." },
];
const list = [
  task("T-001", { passes: true }),
  task("T-002", { title: "Add login | logout" }),
  task("T-003"),
];

test("the page shows outcome, next step, failures, tasks, proofs, cost, timeline and warnings", () => {
  const where = { ...place, artifact: "ralph-session-1" };
  expect(pageOf(list, blocked, where)).toMatchInlineSnapshot(`
    "## ✗ ralph: blocked, 1 of 3 tasks passed in this session (1 before it)

    **blocked** (exit code 3): Blocked: T-003.

    1 iteration, 16.0 s, $0.50. Branch \`ralph/example\`, now at \`c2c2c2c2c2c2\`. Session \`20260125-143052-a7b3c9\`, sandbox off.

    **Next**: Remove the reason the task is blocked, then run \`ralph run --resume\`.

    Logs, timeline and status files are in \`.ralph-session\`, uploaded as the artifact \`ralph-session-1\`.

    ### What stopped

    - T-003 (blocked): Ask \`@octo\` (its work is kept as tree \`f1f1f1f1f1f1f1f1f1f1f1f1f1f1f1f1f1f1f1f1\`)

    ### Tasks

    | Task | Title | State | Iterations | Time | Cost | Commit |
    | --- | --- | --- | --- | --- | --- | --- |
    | T-001 | Title of T-001 | passed before | 0 | - | - | - |
    | T-002 | Add login \\| logout | passed | 1 | 6.0 s | - | \`c2c2c2c2c2c2\` |
    | T-003 | Title of T-003 | blocked | 0 | 6.0 s | $0.50 | - |

    ### Proofs

    <details><summary>T-002: passed, criteria proved 0/1, 1 approved by the reviewer</summary>

    **T-002**: Add login | logout

    |  | Criterion | Verdict | Proof |
    | --- | --- | --- | --- |
    | 1 | It works | approved by the reviewer |  |

    | Gate | Result | On the start commit | New failures | Time |
    | --- | --- | --- | --- | --- |
    | \`test\` | passed | failed | - | 10 ms |

    </details>

    <details><summary>T-003: blocked, no criterion checked</summary>

    **T-003**: Title of T-003

    |  | Criterion | Verdict | Proof |
    | --- | --- | --- | --- |
    | 1 | It works | not checked |  |

    | Gate | Result | On the start commit | New failures | Time |
    | --- | --- | --- | --- | --- |
    | \`test\` | failed | failed | 1 | 10 ms |

    </details>

    ### Cost

    | Role | Model | Calls | Turns | Tokens | Cost |
    | --- | --- | --- | --- | --- | --- |
    | implementation | \`claude opus\` | 1 | - | - | $0.50 |

    ### Timeline

    \`\`\`mermaid
    gantt
        dateFormat x
        axisFormat %H:%M
        section T-003 Title of T-003
        implementation 1 :done, 1769351462000, 1769351463000
    \`\`\`

    ### Warnings

    - Warning: no fatal gate ran
    "
  `);
});

const end = (reason: "all_done" | "nothing_to_do" | "task_failed" | "cancelled"): Fact => ({
  type: "session_end",
  reason,
  message: `Ended: ${reason}.`,
});

test.each([
  ["all passed", [...passing("T-001"), end("all_done")], "✓ ralph: completed, 1 of 1 task passed"],
  ["nothing to do", [end("nothing_to_do")], "· ralph: nothing to do, 0 of 1 task passed"],
  ["said to be done for nothing", [end("all_done")], "· ralph: completed, 0 of 1 task passed"],
  ["failed", [end("task_failed")], "✗ ralph: failed, 0 of 1 task passed"],
  [
    "some passed",
    [...passing("T-001"), end("task_failed")],
    "! ralph: partial, 1 of 1 task passed",
  ],
  ["cancelled", [...passing("T-001"), end("cancelled")], "✗ ralph: aborted, 1 of 1 task passed"],
  ["no end", [start("T-001")], "… ralph: not ended, 0 of 1 task passed"],
] as [string, Fact[], string][])("%s: the first line says so", (_, facts, words) => {
  const [first = ""] = pageOf([task("T-001")], facts).split("\n");
  expect(first).toBe(`## ${words} in this session`);
});

test("the job may replace the next step", () => {
  const page = pageOf(list, blocked, {
    ...place,
    next: "Start the workflow again.",
  } as typeof place);
  expect(page).toContain("**Next**: Start the workflow again.");
  expect(page).not.toContain("ralph run --resume");
});

const hostileTask = (id: string, text: string): RunTask =>
  task(id, { title: `T ${text}`, acceptanceCriteria: [text] });

test("whatever agents and users write, the page holds only our HTML, fences and lines", () => {
  fc.assert(
    fc.property(hostileText, (text) => {
      const facts: Fact[] = [
        start("T-001"),
        begin("T-001", text),
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
      const page = pageOf([hostileTask("T-001", text)], facts);
      const fences = page.split("\n").filter((line) => /^\s*(?:```|~~~)/.test(line));
      expect(fences).toEqual(["```mermaid", "```"]);
      const [before = "", chart = ""] = page.split("```mermaid\n");
      const [drawn = "", after = ""] = chart.split("\n```");
      const outside = `${before}${after}`.replace(/`[^`\n]*`/g, "").replace(/\\[\\<[\]|]/g, "\0");
      expect(outside.match(/<\/?[a-z!?][^>\n]*>?/gi)).toEqual([
        "<details>",
        "<summary>",
        "</summary>",
        "</details>",
      ]);
      expect(outside).not.toMatch(/(?<![\w/.-])@[a-z0-9]|(?:https?|ftp|mailto|xmpp):|www\.|\]\(/i);
      for (const line of drawn.split("\n")) {
        expect(line).toMatch(
          /^(?:gantt| {4}(?:dateFormat x|axisFormat %H:%M|section T-001 [^:;#%"<]*|[a-z ]+ \d+ :\w+, \d+, \d+))$/u,
        );
      }
    }),
  );
});

test("a page never exceeds GitHub's limit, and names the omitted parts", () => {
  const tasks = Array.from({ length: 999 }, (_, at) =>
    task(`T-${String(at + 1).padStart(3, "0")}`, {
      title: "é&[".repeat(33),
      acceptanceCriteria: Array.from({ length: 5 }, () => "€&".repeat(250)),
    }),
  );
  const facts = tasks.flatMap(({ id }): Fact[] => [
    start(id),
    begin(id),
    agentEnd(id),
    { type: "task_blocked", task: id, message: "€".repeat(1000) },
  ]);
  const page = pageOf(tasks, facts);
  expect(Buffer.byteLength(page)).toBeLessThanOrEqual(maxSummaryBytes);
  expect(Buffer.byteLength(page)).toBeGreaterThan(maxSummaryBytes * 0.9);
  expect(page.startsWith("## … ralph: not ended")).toBe(true);
  expect(page.split("\n").at(-2)).toMatch(
    /^GitHub shows at most 1 MiB. Omitted: \d+ entries of "What stopped", .*the section "Proofs".* See `ralph report` and `--json`\.$/,
  );
});
