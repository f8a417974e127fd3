import { expect, test } from "vitest";
import { judgeUnpublished } from "../../../app/publish/publish-run.ts";
import { judgeJobs } from "../../../app/runs/workflow-facts.ts";

const session = { id: 1, name: "ralph-session-50-1", attempt: 1, bytes: 1 };
const none = { cleanRoom: undefined, failed: [] };
const proved = { cleanRoom: "proved", failed: [] } as const;

type Row = [what: string, given: Parameters<typeof judgeUnpublished>[0], words: RegExp | undefined];
const over = (conclusion: string | null) => ({ id: 50, conclusion });
const rows: Row[] = [
  [
    "a session that was proved",
    { facts: over("success"), jobs: proved, artifacts: { session } },
    undefined,
  ],
  [
    "a session of a job that failed",
    { facts: over("failure"), jobs: proved, artifacts: { session } },
    undefined,
  ],
  [
    "a session that was not to be proved",
    { facts: over("success"), jobs: none, artifacts: { session } },
    undefined,
  ],
  [
    "a session that was refuted",
    { facts: over("failure"), jobs: { cleanRoom: "refuted", failed: [] }, artifacts: { session } },
    /could not prove the work again/,
  ],
  [
    "a session that was cancelled",
    { facts: over("cancelled"), jobs: none, artifacts: { session } },
    /was cancelled; .* `resume-from: 50`/,
  ],
  [
    "a workflow that was cancelled before",
    { facts: over("cancelled"), jobs: none, artifacts: { session: undefined } },
    /nothing was published\.$/,
  ],
  [
    "nothing to do",
    { facts: over("success"), jobs: none, artifacts: { session: undefined } },
    /nothing to work on/,
  ],
  [
    "a job that failed",
    {
      facts: over("failure"),
      jobs: { cleanRoom: undefined, failed: ["ralph / Work"] },
      artifacts: { session: undefined },
    },
    /ended with failure in `ralph \/ Work`, before/,
  ],
  [
    "a workflow GitHub never began",
    { facts: over("startup_failure"), jobs: none, artifacts: { session: undefined } },
    /ended with startup_failure, before/,
  ],
];
test.each(rows)("of %s", (_, given, words) => {
  const end = judgeUnpublished(given);
  if (words) expect(end?.words).toMatch(words);
  else expect(end).toBeUndefined();
});

const room = (conclusion: string | null, name = "ralph / Prove again") => ({ name, conclusion });
const verdicts: [
  what: string,
  jobs: Parameters<typeof judgeJobs>[0],
  verdict: string | undefined,
][] = [
  ["one that was green", [room("success")], "proved"],
  ["one that was artifacts out", [room("skipped")], undefined],
  ["none", [room("success", "ralph / Work")], undefined],
  ["a job of another name", [room("success", "Prove again and again")], undefined],
  ["one that failed", [room("failure")], "refuted"],
  ["one that was cancelled", [room("cancelled")], "refuted"],
  ["one that never ended", [room(null)], "refuted"],
  ["two of which one failed", [room("success"), room("failure", "Prove again")], "refuted"],
];
test.each(verdicts)("the clean room: %s", (_, jobs, verdict) => {
  expect(judgeJobs(jobs).cleanRoom).toBe(verdict);
});
