import { expect, test } from "vitest";
import type { Fact } from "../../../src/core/state/event.ts";
import { describeEvent } from "../../../src/views/terminal/event-line.ts";
import { agentEnd, gateEnd, reviewed, start, task } from "../../support/builders/session.ts";
import { realisticEvents } from "../session-files/realistic-run.ts";

function described(fact: Fact) {
  const last = realisticEvents([task("T-001")], [start("T-001"), fact]).at(-1);
  return last && describeEvent(last.event, last.state);
}

test.each<[string, Fact, object]>([
  ["an approved review is good news", reviewed("T-001"), { mark: "good" }],
  ["a rejected review is bad news", reviewed("T-001", "review-rejected"), { mark: "bad" }],
  [
    "a missing signal is bad news",
    agentEnd("T-001", { signal: { kind: "missing" } }),
    { mark: "bad", text: "implementation answered (signal missing), 1.0 s" },
  ],
  [
    "reverted paths are named",
    agentEnd("T-001", { refused: ["a", "b"], usage: { cost_usd: 1 } }),
    { text: "implementation answered (task-done), 1.0 s, $1.00, reverted: a b" },
  ],
  [
    "a red gate says why",
    gateEnd("T-001", { status: "timed_out", detail: "after 300 s" }),
    { mark: "bad", text: "gate test (full) timed out, 10 ms: after 300 s" },
  ],
  [
    "a steering command is shown with its author",
    {
      type: "steered",
      order: { verb: "hint", text: "Use\u202e tabs.\n::error::x", comment: 7, by: "ada" },
    },
    { mark: "plain", text: "command: hint by ada: Use tabs. ::error::x" },
  ],
  [
    "what cannot be followed is a warning",
    { type: "steered", order: { verb: "skip", task: "T-9", by: "ada" }, refused: "No T-9." },
    { mark: "warn", text: "Warning: No T-9." },
  ],
  [
    "kept work names its task and tree",
    { type: "work_kept", task: "T-001", tree: "abcdef0123456789" },
    { task: "T-001", text: "work kept as tree abcdef012345" },
  ],
  [
    "a failed setup step is reported even when quiet",
    {
      type: "setup_end",
      name: "install",
      status: "failed",
      ms: 1,
      output: { sha256: "", bytes: 0 },
    },
    { level: "quiet", mark: "bad" },
  ],
])("%s", (_, fact, expected) => {
  expect(described(fact)).toMatchObject(expected);
});

test("a gate's leftovers are named once", () => {
  const gates = ["t1", "t2"].map((tree) => gateEnd("T-001", { tree, leftovers: ["out/a"] }));
  const lines = realisticEvents([task("T-001")], [start("T-001"), ...gates]).map(
    ({ event, state }) => describeEvent(event, state).text,
  );
  expect(lines.slice(-2)).toEqual([
    "gate test (full) passed, 10 ms, removed leftovers: out/a",
    "gate test (full) passed, 10 ms",
  ]);
});
