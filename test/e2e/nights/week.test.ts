import { expect, test } from "vitest";
import { parse } from "yaml";
import { renderWorkflow } from "../../../src/scaffold/write/render-workflow.ts";
import { blocksOf } from "../../docs/pages.ts";
import { createNights, endTimeAt, limitAt, type Night } from "../../support/nights/nights.ts";
import { hasBubblewrap } from "../../support/project/sandbox.ts";

type Step = { uses?: string };
type Job = { uses?: string; permissions?: object; secrets?: object; steps?: Step[] };
type Workflow = { on: object; permissions: object; jobs: Record<string, Job> };

/** Whether a workflow calls ralph for a task list: as a reusable workflow, or as a step. */
function callsRalph(code: string, how: "workflow" | "step"): boolean {
  const jobs = Object.values((parse(code) as Workflow).jobs ?? {});
  return jobs.some(({ uses, steps = [] }) =>
    how === "workflow"
      ? uses?.includes("/ralph.yml@")
      : steps.some((step) => step.uses?.startsWith("org/ralph-action@")),
  );
}

const shown = (how: "workflow" | "step") =>
  blocksOf("yaml").find(({ code }) => callsRalph(code, how))?.code ?? "";

const written = renderWorkflow({ tools: [], prefix: "", config: undefined });

/** Every text that a user is told to put into `.github/workflows/ralph.yml`. */
const texts = {
  "what `ralph init` writes": written,
  "the three jobs of the README": shown("workflow"),
  "the step of the documentation": shown("step"),
};

/** A week is dozens of process starts a night: a contributor's machine lives through one, CI (FC_RUNS) through each. */
const lived = Object.entries(texts).slice(0, process.env.FC_RUNS ? undefined : 1);

test("the README and `ralph init` call the same workflow, with the same rights, key and inputs of their own", () => {
  const facts = (code: string) => {
    const { on, permissions, jobs } = parse(code) as Workflow;
    const { uses, permissions: rights, secrets } = jobs.ralph ?? {};
    return { on: Object.keys(on), permissions, uses, rights, secrets };
  };
  expect(facts(shown("workflow"))).toEqual(facts(written));
});

const isGreen = ({ conclusion, log }: Night) => expect(conclusion, log).toBe("success");

/** A night in which no agent is called, and which says why. */
function isQuiet(night: Night, why: RegExp): void {
  isGreen(night);
  expect(night.calls, night.log).toEqual([]);
  expect(night.log).toMatch(why);
}

const implemented = ({ calls }: Night) =>
  calls.filter((call) => call.endsWith(" implementation")).map((call) => call.slice(0, 5));

test.runIf(hasBubblewrap).each(lived)(
  "a week of nights with %s: no night is red, and no task is paid for twice",
  { timeout: 600_000 },
  async (_, workflow) => {
    // The stand-in for an agent reports no cost, so it cannot keep a budget.
    await using nights = await createNights(workflow.replace(/^ *budget-usd:.*\n/m, ""));
    const { github, night, addTasks, squash, close } = nights;
    const { state, dispatched } = github;

    const first = await night();
    isGreen(first);
    expect(implemented(first)).toEqual(["T-001"]);
    expect(state.pulls).toMatchObject([{ draft: false, head: { ref: "ralph/example" } }]);

    isQuiet(await night(), /Pull request #1 waits for a person: https:\/\//);

    squash("ralph/example");
    isQuiet(await night(), /No task is open/);

    addTasks("T-002", "T-003");
    limitAt(nights, "T-003");
    const limited = await night();
    isGreen(limited);
    expect(limited.log).toMatch(/the next scheduled run after that continues the session/);
    expect(state.pulls.at(-1)).toMatchObject({ draft: true, head: { ref: "ralph/example-2" } });

    const continued = await night();
    isGreen(continued);
    expect(implemented(continued)).toEqual(["T-003"]);
    expect(state.pulls).toMatchObject([{}, { draft: false }]);

    squash("ralph/example-2");
    addTasks("T-004", "T-005");
    endTimeAt(nights, "T-005");
    const late = await night();
    isGreen(late);
    expect(implemented(late)).toEqual(["T-004", "T-005"]);
    expect(state.pulls.at(-1)).toMatchObject({ draft: true, head: { ref: "ralph/example-3" } });
    expect(dispatched.map(({ body }) => body)).toEqual([
      { ref: "main", inputs: { "resume-from": late.runId } },
    ]);

    const dispatch = await night({ by: "program", inputs: { "resume-from": late.runId } });
    isGreen(dispatch);
    expect(implemented(dispatch)).toEqual([]);
    expect(state.pulls).toMatchObject([{}, {}, { draft: false }]);
    for (const { body } of state.pulls)
      expect(body).not.toMatch(/(?<![\w:./-])\/[\w.-]+\/[\w.-]+\//);

    close("ralph/example-3");
    isQuiet(await night(), /#3 of ralph\/example-3 was closed without a merge/);
    if (process.env.FC_RUNS === undefined) return;

    const byHand = await night({ by: "person", cancelAt: "T-005 implementation" });
    expect(byHand.conclusion).toBe("cancelled");
    const resumed = await night();
    isGreen(resumed);
    expect(implemented(resumed)).toEqual(["T-005"]);
    expect(state.pulls.at(-1)).toMatchObject({ draft: false, head: { ref: "ralph/example-4" } });
    isQuiet(await night(), /Pull request #4 waits for a person/);
  },
);
