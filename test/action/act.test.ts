import { expect, test } from "vitest";
import { runsAll } from "../setup/sampled.ts";
import { hasAct, runAct } from "../support/act/act.ts";
import { createNights, withoutBudget } from "../support/nights/nights.ts";
import { triedTexts } from "../support/nights/texts.ts";
import { hasBubblewrap } from "../support/project/sandbox.ts";

if (runsAll && !hasAct) {
  console.warn(
    "act is not installed (`go install github.com/nektos/act@v0.2.88`): it runs no workflow.",
  );
}

test.runIf(hasAct && hasBubblewrap && runsAll).each(triedTexts)(
  "%s: another program that runs workflows opens the pull request, too",
  async (_, workflow) => {
    await using nights = await createNights(withoutBudget(workflow));
    const { github } = nights;
    const { folder } = github.project;
    const env = { PATH: `${folder}/bin:${process.env.PATH}`, CALLS: `${folder}/bin/calls` };
    const { exitCode, log } = await runAct(github, {
      workflow: withoutBudget(workflow),
      runId: "1001",
      env,
    });
    expect(exitCode, log).toBe(0);
    expect(github.state.pulls, log).toMatchObject([{ head: { ref: "ralph/example" } }]);
  },
);
