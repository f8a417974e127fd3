import { describe, expect, test } from "vitest";
import type { FactOf, RunEvent } from "../../src/core/state/event.ts";
import { type Case, cases, ends, toldOf, viewsOf } from "./told-session.ts";

/** A sentence, and what must have happened where a view says it. */
type Claim = { says: RegExp; needs: (events: readonly RunEvent[]) => boolean };

const some =
  <Type extends RunEvent["type"]>(
    type: Type,
    isMeant: (event: FactOf<Type>) => boolean = () => true,
  ) =>
  (events: readonly RunEvent[]) =>
    events.some((event) => event.type === type && isMeant(event as RunEvent & FactOf<Type>));

const isRed = ({ status }: { status: string }) => status !== "passed" && status !== "skipped";
const ran = some("gate_end", ({ status }) => status !== "skipped");
const ranFatal = some("gate_end", ({ status, fatal }) => status !== "skipped" && fatal !== false);

const claims: Claim[] = [
  { says: /red, on the start commit too/, needs: some("baseline_end", isRed) },
  {
    says: /green on the start commit/,
    needs: some("baseline_end", ({ status }) => status === "passed"),
  },
  { says: /\d+ gates? red/, needs: some("gate_end", isRed) },
  { says: /"event":"gate_pass"/, needs: some("gate_end", ({ status }) => status === "passed") },
  { says: /"event":"gate_fail"/, needs: some("gate_end", isRed) },
  {
    says: /"event":"checksum_verified"/,
    needs: some("session_resume", (event) => event.status_verified === true),
  },
  { says: /no gate ran\b/i, needs: (events) => !ran(events) },
  { says: /no fatal gate ran\b/i, needs: (events) => ran(events) && !ranFatal(events) },
  {
    says: /Gates \| [1-9]\d* passed/,
    needs: some("gate_end", ({ status }) => status === "passed"),
  },
  { says: /\d+ skipped/, needs: some("gate_end", ({ status }) => status === "skipped") },
  {
    says: /approved by the reviewer/,
    needs: some(
      "agent_end",
      ({ signal }) => signal.kind === "valid" && signal.name === "review-approved",
    ),
  },
  {
    says: /held before the task/,
    needs: some("criteria_end", ({ results }) => results.some(({ verdict }) => verdict === "held")),
  },
  {
    says: /execution, in place/,
    needs: some("criteria_end", ({ results }) =>
      results.some(({ verdict }) => verdict === "proved"),
    ),
  },
  { says: /[Rr]efuted|Proved in a clean room/, needs: () => false },
  { says: /Proved in place/, needs: some("task_passed") },
  { says: /1 of 1 tasks? passed|1\/1 tasks passed/, needs: some("task_passed") },
];

/** Sentences of a session's views without the event they need. */
function lies(each: Case): string[] {
  const told = toldOf(each);
  const events = told.map(({ event }) => event);
  const untrue = claims.filter(({ needs }) => !needs(events));
  return Object.entries(viewsOf(told)).flatMap(([view, text]) =>
    untrue.flatMap(({ says }) => {
      const [words] = says.exec(text) ?? [];
      return words === undefined ? [] : [`${view} says ${words}: ${JSON.stringify(each)}`];
    }),
  );
}

describe("what any view says of gates, criteria and outcomes has happened", () => {
  test.each(ends)("where the task ends as %s", (wanted) => {
    expect(cases.filter(({ end }) => end === wanted).flatMap(lies)).toEqual([]);
  });

  test("and each of these sentences is said somewhere", () => {
    const texts = cases.map((each) => Object.values(viewsOf(toldOf(each))).join("\n"));
    const never = claims.filter(({ says }) => !texts.some((text) => says.test(text)));
    expect(never.map(({ says }) => String(says))).toEqual([
      String(/"event":"checksum_verified"/),
      String(/[Rr]efuted|Proved in a clean room/),
    ]);
  });
});

test.each([
  ["skipped", /no gate ran/i],
  ["none", /no gate ran/i],
  ["warned", /no fatal gate ran/i],
] as const)(
  "a pass with gates that are %s is named in every view of the outcome",
  (status, says) => {
    const told = toldOf({ status, baseline: "none", verdict: "to_judge", end: "passed" });
    const { timeline: _, live: __, overlay: ___, ...outcomes } = viewsOf(told);
    for (const text of Object.values(outcomes)) expect(text).toMatch(says);
    expect(outcomes.job).not.toContain("## ✓");
  },
);
