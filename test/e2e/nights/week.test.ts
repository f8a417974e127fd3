import { expect, test } from "vitest";
import { parse } from "yaml";
import { renderWorkflow } from "../../../src/scaffold/write/render-workflow.ts";
import { blocksOf } from "../../docs/pages.ts";
import { createNights, limitAt, type Night } from "../../support/nights/nights.ts";
import { hasBubblewrap } from "../../support/project/sandbox.ts";

type Workflow = { jobs: Record<string, { uses?: string; steps?: { uses?: string }[] }> };

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

/** Every text that a user is told to put into `.github/workflows/ralph.yml`. */
const texts = {
  "the three jobs of the README": shown("workflow"),
  "the step of the documentation": shown("step"),
  "what `ralph init` writes": renderWorkflow({ tools: [], prefix: "", config: undefined }),
};

const isGreen = ({ conclusion, log }: Night) => expect(conclusion, log).toBe("success");

/** A night in which no agent is called, and which says why. */
function isQuiet(night: Night, why: RegExp): void {
  isGreen(night);
  expect(night.calls, night.log).toEqual([]);
  expect(night.log).toMatch(why);
}

const implemented = ({ calls }: Night) =>
  calls.filter((call) => call.endsWith(" implementation")).map((call) => call.slice(0, 5));

test.runIf(hasBubblewrap).each(Object.entries(texts))(
  "a week of nights with %s: no night is red, and no task is paid for twice",
  { timeout: 600_000 },
  async (_, workflow) => {
    // The stand-in for an agent reports no cost, so it cannot keep a budget.
    await using nights = await createNights(workflow.replace(/^ *budget-usd:.*\n/m, ""));
    const { github, night, addTasks, squash, close } = nights;
    const { state } = github;

    const first = await night();
    isGreen(first);
    expect(implemented(first)).toEqual(["T-001", "T-002"]);
    expect(state.pulls).toMatchObject([{ draft: false, head: { ref: "ralph/example" } }]);

    isQuiet(await night(), /Pull request #1 waits for a person: https:\/\//);

    squash("ralph/example");
    isQuiet(await night(), /No task is open/);

    addTasks("T-003");
    const fourth = await night();
    isGreen(fourth);
    expect(implemented(fourth)).toEqual(["T-003"]);
    expect(state.pulls).toMatchObject([{}, { draft: false, head: { ref: "ralph/example-2" } }]);

    squash("ralph/example-2");
    addTasks("T-004", "T-005");
    limitAt(nights, "T-005");
    const limited = await night();
    isGreen(limited);
    expect(limited.log).toMatch(/the next scheduled run after that continues the session/);
    expect(state.pulls.at(-1)).toMatchObject({ draft: true, head: { ref: "ralph/example-3" } });

    const continued = await night();
    isGreen(continued);
    expect(implemented(continued)).toEqual(["T-005"]);
    expect(state.pulls).toMatchObject([{}, {}, { draft: false }]);

    squash("ralph/example-3");
    addTasks("T-006", "T-007");
    const cut = await night({ cancelAt: "T-007 implementation" });
    expect(cut.conclusion).toBe("cancelled");
    const resumed = await night();
    isGreen(resumed);
    expect(implemented(resumed)).toEqual(["T-007"]);
    expect(state.pulls.at(-1)).toMatchObject({ draft: false, head: { ref: "ralph/example-4" } });

    close("ralph/example-4");
    isQuiet(await night(), /#4 of ralph\/example-4 was closed without a merge/);
    const byHand = await night({ by: "person" });
    isGreen(byHand);
    expect(state.pulls.at(-1)).toMatchObject({ draft: false, head: { ref: "ralph/example-5" } });
    isQuiet(await night(), /Pull request #5 waits for a person/);
  },
);
