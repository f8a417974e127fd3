import { expect, test } from "vitest";
import type { Fact, FactOf, RunEvent } from "../../src/core/state/event.ts";
import { type Case, cases, fragmentsOf, toldOf, viewsOf } from "./told-session.ts";

type Events = readonly RunEvent[];
type Needs = (events: Events, figures: readonly number[]) => boolean;

const all = <Type extends Fact["type"]>(events: Events, type: Type) =>
  events.filter((event): event is RunEvent & FactOf<Type> => event.type === type);
const has =
  (type: Fact["type"]): Needs =>
  (events) =>
    all(events, type).length > 0;
const not =
  (needs: Needs): Needs =>
  (events, figures) =>
    !needs(events, figures);
const any =
  (...needs: Needs[]): Needs =>
  (events, figures) =>
    needs.some((each) => each(events, figures));
const ended =
  (...reasons: FactOf<"session_end">["reason"][]): Needs =>
  (events) =>
    all(events, "session_end").some(({ reason }) => reasons.includes(reason));
const isRed = ({ status }: { status: string }) => status !== "passed" && status !== "skipped";
const gates = (events: Events) => all(events, "gate_end");
const criteria = (events: Events) => all(events, "criteria_end").flatMap(({ results }) => results);
const gate =
  (...statuses: string[]): Needs =>
  (events) =>
    [...gates(events), ...all(events, "baseline_end")].some(({ status }) =>
      statuses.includes(status),
    );
const criterion =
  (...verdicts: string[]): Needs =>
  (events) =>
    criteria(events).some(({ verdict }) => verdicts.includes(verdict));
const count =
  (of: (events: Events) => number): Needs =>
  (events, [figure]) =>
    figure === of(events);
const verdicts = (verdict: string): Needs =>
  count((events) => criteria(events).filter((each) => each.verdict === verdict).length);
const passes = count((events) => all(events, "task_passed").length);
const answered =
  (name: string): Needs =>
  (events) =>
    all(events, "agent_end").some(({ signal }) => signal.kind === "valid" && signal.name === name);
const approved = answered("review-approved");
const ran: Needs = (events) => gates(events).some(({ status }) => status !== "skipped");
const ranFatal: Needs = (events) =>
  gates(events).some(({ status, fatal }) => status !== "skipped" && fatal !== false);
const redGates = count((events) => gates(events).filter(isRed).length);
const baseline =
  (isWanted: (event: { status: string }) => boolean): Needs =>
  (events) =>
    all(events, "baseline_end").some(isWanted);
const isOver = has("session_end");
/** What held before the task proves nothing about its work, so it is left to the review too. */
const left = count(
  (events) => criteria(events).filter(({ verdict }) => /to_judge|held/.test(verdict)).length,
);

/** What a view may say of a session, each with what must have happened. */
const claims: readonly [says: RegExp, needs: Needs][] = [
  [/^(?:completed|complete|all_done|every selected task passed)$/, ended("all_done")],
  [/^Look at the commits$|^then open a pull request with/, ended("all_done")],
  [/^(?:aborted|cancelled|continues|resume&#\d+)$|^Continue with/, ended("cancelled")],
  [/^a task made no progress$|^no change$|^or the same failure again/, ended("blocked")],
  [/^Remove the reason the task is blocked$/, ended("blocked")],
  [/^(?:T-001 )?blocked$|^T-001 {2}blocked |^No change$/, has("task_blocked")],
  [/^a task did not pass within its iterations or reviews$/, ended("task_failed")],
  [/^Read the log of the failed task$|^adjust the task$/, ended("task_failed")],
  [/^Next {5}Remove the reason/, ended("blocked")],
  [/^Next {5}Read the log/, ended("task_failed")],
  [/^Next {5}Look at the commits/, ended("all_done")],
  [/^Next {5}Continue with/, ended("cancelled")],
  [/^then run/, ended("task_failed", "blocked")],
  [/^(?:T-001 )?failed$|^T-001 {2}failed |^No pass$|^task_failed$/, has("task_failed")],
  [/^task_failed$/, has("task_blocked")],
  [/^failed$/, any(gate("failed"), criterion("failed"), ended("task_failed", "blocked"))],
  [/^interrupted$|^T-001 {2}interrupted |^not done$|^T-001 at work$/, ended("cancelled")],
  [/^(?:It is over|exit code \d+|Exit code \d+|session_end|Ended)$/, isOver],
  [/^ralph (\d)\/1 (?:completed|blocked|failed|aborted)$/, passes],
  [/^(\d)\/1 tasks passed$|^Passed {3}(\d)\/1 tasks$/, passes],
  [/^(\d) of 1( tasks?)? passed( in this session)?$|^(\d) of 1 tasks? passed\*\* in/, passes],
  [/^(\d) of \d$/, any(passes, verdicts("proved"))],
  [/^(?:passed|T-001 {2}passed .*)$/, any(has("task_passed"), gate("passed"))],
  [/^passed as [0-9a-f]+$|^committed$|^Commits {2}git log|^now at `/, has("task_committed")],
  [/^task_complete$/, has("task_passed")],
  [/^no new commit$/, not(has("task_committed"))],
  [
    /^passes with (\d+) changed files$/,
    count((events) => all(events, "task_passed")[0]?.files.length ?? -1),
  ],
  [/^Proved in place$|^on the machine where the agents worked$/, has("task_passed")],
  [/^Nothing is proved$/, not(has("task_passed"))],
  [/^(?:[Bb]ut|and)? ?no gate ran( on its newest state)?$/i, not(ran)],
  [/^(?:[Bb]ut|and)? ?no fatal gate ran$/, (events) => ran(events, []) && !ranFatal(events, [])],
  [
    /^(\d+) passed$/,
    count((events) => gates(events).filter(({ status }) => status === "passed").length),
  ],
  [
    /^(\d+) failed$/,
    any(
      redGates,
      verdicts("failed"),
      count((events) => all(events, "task_failed").length),
    ),
  ],
  [
    /^(\d+) skipped$/,
    count((events) => gates(events).filter(({ status }) => status === "skipped").length),
  ],
  [/^(\d+) blocked$/, count((events) => all(events, "task_blocked").length)],
  [/^(?:\d+ )?running$/, not(isOver)],
  [/^(\d+) interrupted$/, (events, [figure]) => figure === 1 && ended("cancelled")(events, [])],
  [/^skipped$|^gate skipped$/, gate("skipped")],
  [/^timed.out$/, gate("timed_out")],
  [/^(\d+) gates? red$/, redGates],
  [/^not fatal$/, (events) => gates(events).some((each) => isRed(each) && each.fatal === false)],
  [/^on the start commit too$/, baseline(isRed)],
  [/^green on the start commit$/, baseline(({ status }) => status === "passed")],
  [/^gate test on the start commit$|^baseline_end$/, has("baseline_end")],
  [/^gate_pass$/, (events) => gates(events).some(({ status }) => status === "passed")],
  [/^gate_fail$/, (events) => gates(events).some(isRed)],
  [/^gates_run$|^gate test$|^Gates of T-001$/, has("gate_end")],
  [/^criteria proved (\d)\/1$/, verdicts("proved")],
  [/^proved$|^execution$|^shown by execution$/, criterion("proved")],
  [/^in place$/, any(has("task_passed"), criterion("proved"))],
  [/^held before the task$/, criterion("held")],
  [/^the review alone$|^(?:\d+ )?approved by the reviewer$/, approved],
  [/^(\d) (?:for the review|left to the review)$|^(\d) criterion was left to the review/, left],
  [/^for the review$/, criterion("to_judge")],
  [/^criteria checked$/, has("criteria_end")],
  [/^(?:\d )?not checked$|^no criterion (?:was )?checked$/, not(has("criteria_end"))],
  [/^not run$/, any(not(has("criteria_end")), not(has("gate_end")), not(has("baseline_end")))],
  [/^(\d) iterations?$/, (events, [figure = 0]) => figure <= all(events, "agent_end").length],
  [/^implementation answered$|^task-done$/, answered("task-done")],
  [/^test_writing answered$|^tests-done$/, answered("tests-done")],
  [/^review answered$|^review-approved$/, approved],
  [/^agent_complete$/, has("agent_end")],
  [/^once$/, any(has("agent_end"), has("gate_end"))],
  [/^task_start$/, has("task_start")],
  [/^session_start$|^session \S+ on |^Session {2}\S+ on /, has("session_start")],
];

/** Headings, labels, legends, keys and what people and the configuration named: none says that something happened. */
const names = new Set(
  `Acceptance; Active Modes; Agents; An example project; Began; Branch; Branch \`ralph/example; Budget; Calls;
  Check this report with; Commit; Configuration; Cost; Criteria and proofs; Criteria proved; Criterion; Do it; Duration;
  Environment; Example; Gate; Gates; Gates against the start commit; In place; It works; Iterations; Journal; Logs;
  Made by ralph from the journal of the session alone; New failures; Next; Now at; On the start commit; Programs; Proof;
  Proofs; Result; Role; Sandbox; Session  .ralph-session; Setup; Shown by; Start commit; State; Step; T-001; Task;
  Task list; Tasks; Tasks passed; Time; Time and money; Time and money by step; Times; Times are UTC; Title;
  Title of T-001; Tokens; Turns; Verdict; What is missing; What stopped; What to do and why; What was asked;
  Where it comes from; Work; already_satisfied; branch; commit; cost unknown; detail; details; duration_ms; error; event;
  failed or rejected; false; full; gate; gate_type; gates; gates on the start commit; implementation; info; iteration;
  iterations; judged; level; message; name; no limit; none; off; ralph; ralph audit; ralph publish; ralph run --resume;
  ralph session; ralph/example; ralph/prd.json; ralph/ralph.yml; review; role; sandbox; sandbox off; selected; session_id;
  signal; source; status; task_id; tasks; test; test writing; test_writing; 1 task;
  timeline and output in .ralph-session/logs; timeline and status files are in \`.ralph-session; total; tree; ts; unknown;
  versions; waiting`
    .split(";")
    .map((name) => name.trim().replace(/\n\s*/g, " ")),
);
const figures =
  /^[\d.:TZ-]+(?: ?(?:ms|s|UTC|Z))?$|^[0-9a-f]{12,}(?: {2}Title of T-001)?$|^t[01]$|^\d{8}-\d{6}-\w{6}$|^(?:Run `|from `|ralph(?: session)? |session `|Session `?|ralph\/example` at `)[\da-f-]+|^Task {3}State /;

const figuresIn = (found: RegExpExecArray) =>
  found.slice(1).flatMap((text) => (/^\d+$/.test(text ?? "") ? [Number(text)] : []));

/** Why a fragment may not stand there; undefined where something that has happened says it. */
function faultOf(fragment: string, events: Events): string | undefined {
  const meant = claims.flatMap(([says, needs]) => {
    const found = says.exec(fragment);
    return found ? [needs(events, figuresIn(found))] : [];
  });
  const isNamed = names.has(fragment) || figures.test(fragment);
  if (meant.includes(true) || (meant.length === 0 && isNamed)) return undefined;
  return meant.length > 0 ? "says what has not happened" : "is derived from no event";
}

function faultsIn(each: Case): string[] {
  const told = toldOf(each);
  const events = told.map(({ event }) => event);
  return Object.entries(viewsOf(told)).flatMap(([view, text]) =>
    fragmentsOf(view, text).flatMap((fragment) => {
      const fault = faultOf(fragment, events);
      return fault === undefined
        ? []
        : [`${view}: "${fragment}" ${fault}: ${JSON.stringify(each)}`];
    }),
  );
}

test("every part of every sentence of every view is a name, a figure, or derived from an event", () => {
  expect(cases.flatMap(faultsIn)).toEqual([]);
});

test.each([
  ["all proofs hold", "is derived from no event"],
  ["2 gates red", "says what has not happened"],
  ["Proved in place", "says what has not happened"],
])("a sentence without its event would be found: %s", (sentence, fault) => {
  const told = toldOf({ status: "failed", baseline: "none", verdict: "none", end: "failed" });
  const events = told.map(({ event }) => event);
  expect(fragmentsOf("pull", sentence).map((part) => faultOf(part, events))).toContain(fault);
});
