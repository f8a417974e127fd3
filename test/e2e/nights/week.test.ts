import { expect, test } from "vitest";
import { parse } from "yaml";
import { runsAll } from "../../setup/sampled.ts";
import {
  createNights,
  endTimeAt,
  limitAt,
  type Night,
  withoutBudget,
} from "../../support/nights/nights.ts";
import { type NightlyWorkflow, nightlyTexts, triedTexts } from "../../support/nights/texts.ts";
import { hasBubblewrap } from "../../support/project/sandbox.ts";

test("the README and `ralph init` call the same workflow, with the same rights, key and inputs of their own", () => {
  const facts = (code: string) => {
    const { on, permissions, jobs } = parse(code) as NightlyWorkflow;
    const { uses, permissions: rights, secrets } = jobs.ralph ?? {};
    return { on: Object.keys(on), permissions, uses, rights, secrets };
  };
  const { "the three jobs of the README": shown, "what `ralph init` writes": written } =
    nightlyTexts;
  expect(facts(shown)).toEqual(facts(written));
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

// A contributor has tests of one night, and of the decisions themselves.
test.runIf(hasBubblewrap && runsAll).each(triedTexts)(
  "a week of nights with %s: no night is red, and no task is paid for twice",
  { timeout: 600_000 },
  async (_, workflow) => {
    await using nights = await createNights(withoutBudget(workflow));
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

    const byHand = await night({ by: "person", cancelAt: "T-005 implementation" });
    expect(byHand.conclusion).toBe("cancelled");
    const resumed = await night();
    isGreen(resumed);
    expect(implemented(resumed)).toEqual(["T-005"]);
    expect(state.pulls.at(-1)).toMatchObject({ draft: false, head: { ref: "ralph/example-4" } });
    isQuiet(await night(), /Pull request #4 waits for a person/);
  },
);
