import { withoutProof } from "../../../test/support/builders/config.ts";
import { countedFiles, countingGate } from "../../../test/support/builders/counting-gate.ts";
import { task } from "../../../test/support/builders/session.ts";
import { createProject } from "../../../test/support/project/project.ts";
import type { Effort } from "./overhead.ts";
import { taskIds } from "./project.ts";
import { type Row, row } from "./row.ts";

/** Three calls of an agent take six times as long as the gate. */
const callSeconds = 1.2;
const gateSeconds = 0.6;
const goal = 1.1;

/** Honest tasks one after the other, with the proof of the work and without. */
export async function measureProof({ rounds }: Effort): Promise<Row[]> {
  const count = rounds === 1 ? 5 : 20;
  const without = await seconds(count, withoutProof);
  const proved = await seconds(count, {});
  const what = `${count} tasks with the proof of the work, agents and gates 6 : 1`;
  const shown = { beside: `${without.toFixed(1)} s`, ralph: `${proved.toFixed(1)} s` };
  return [row(what, proved / without, "times", { ...shown, goal })];
}

const wait = `sleep ${callSeconds};`;
/** Each task adds a function with two answers, and a test of both. */
const agent = {
  implementation: `${wait} printf 'f() {\\n  if [ "$1" = a ]; then echo %s; else echo no; fi\\n}\\n' "$task" >"src/$task.js"; claim`,
  test_writing: `${wait} printf '. ./src/%s.js\\n[ "$(f a)" = %s ] && [ "$(f b)" = no ]\\n' "$task" "$task" >"tests/$task.sh"; claim`,
  review: `${wait} claim`,
};

async function seconds(count: number, proof: object): Promise<number> {
  await using project = await createProject({
    tasks: taskIds(count).map((id, index) => task(id, { priority: index + 1 })),
    files: countedFiles,
    gates: { test: `sleep ${gateSeconds}; ${countingGate}` },
    config: { proof },
    agent,
  });
  const startedAt = performance.now();
  const { exitCode, stderr } = await project.run();
  if (exitCode !== 0) throw new Error(`ralph ended with ${exitCode}:\n${stderr}`);
  return (performance.now() - startedAt) / 1000;
}
