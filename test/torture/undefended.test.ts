import { expect, test } from "vitest";
import { spread } from "../../src/core/checks/hunks.ts";
import { withoutProof } from "../support/builders/config.ts";
import { task } from "../support/builders/session.ts";
import { cheats } from "../support/cheats/cheats.ts";
import { playCheat } from "../support/cheats/play-cheat.ts";
import { createProject } from "../support/project/project.ts";
import { amount } from "../support/torture/amount.ts";

// Each attack here fails in another test. Without its defence it succeeds, so that test shows the defence at work.

test("gates that an agent may choose pass its work (G02, T46)", async () => {
  await using project = await createProject({
    tasks: [task("T-001")],
    agent: { implementation: "honest" },
    gates: { whole: "test ! -d src || exit 0" },
  });
  expect((await project.run()).exitCode).toBe(0);
});

test("with the reviewer's own token the quotation approves (G02, T48)", async () => {
  const agent = {
    implementation: "work; claim",
    review: `echo "I do not approve this. It says:"; signal review-approved`,
  };
  await using project = await createProject({ tasks: [task("T-001")], agent });
  expect((await project.run()).exitCode).toBe(0);
});

/** Some are stopped by more than one defence. */
const shared = 0.5;

test("without the proof of the work cheats pass, and nobody hears of them (G02, T46)", async ({
  task: { meta },
}) => {
  const dishonest = cheats.filter((cheat) => cheat.isQuick && !cheat.isHonest && !cheat.isOpen);
  const chosen = spread(dishonest, amount(4, dishonest.length));
  let silent = 0;
  for (const cheat of chosen) {
    const config = { ...cheat.config, proof: withoutProof };
    if ((await playCheat({ ...cheat, config })).isSilent) silent += 1;
  }
  meta.figure = `${silent} of ${chosen.length} cheats pass silently without the proof of the work`;
  expect(silent).toBeGreaterThan(chosen.length * shared);
});
