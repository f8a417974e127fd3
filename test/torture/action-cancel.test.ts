import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { type ActionProject, createActionProject } from "../support/action/project.ts";
import { innerSteps, stepWorkflow } from "../support/action/workflow.ts";
import { task } from "../support/builders/session.ts";

const count = 50;
const build = new URL("../../.github/scripts/build.ts", import.meta.url).pathname;
const tasks = ["T-001", "T-002", "T-003"].map((id) => task(id));

/** Takes a while, obeys no signal, and leaves a child in a session of its own. */
const stubborn = `trap '' INT TERM
setsid sleep 30 &
sleep 0.4
honest`;

test("the runner's cancel sequence at random moments leaves a session that continues, and no survivor (G11, F24)", async () => {
  execFileSync(process.execPath, [build]);
  const faults: string[] = [];
  const times: number[] = [];
  for (let nth = 0; nth < count; nth++) {
    await using github = await createActionProject({ tasks, agent: stubborn });
    const { problems, ms } = await cancelOnce(github, nth);
    faults.push(...problems.map((problem) => `${nth}: ${problem}`));
    times.push(ms);
  }
  console.info(`cancelled ${count} times, at most ${Math.max(...times)} ms until the step ended`);
  expect(faults).toEqual([]);
}, 3_600_000);

async function cancelOnce(github: ActionProject, nth: number) {
  await using running = await github.start(stepWorkflow());
  await until(() => running.lines.some((line) => line.startsWith("Session ")));
  await pause(Math.random() * 2500);
  const cancelledAt = Date.now();
  let endedAt = 0;
  const watching = until(() => running.lines.some((line) => line.includes("seal"))).then(() => {
    endedAt = Date.now();
  });
  running.cancel();
  const result = await running.result;
  await Promise.race([watching, pause(100)]);
  const problems = faultsOf(result.artifacts, result.jobs[0]?.orphans ?? []);
  const kept = result.jobs[0] && innerSteps(result.jobs[0])["Keep the session"];
  if (kept !== "success") problems.push(`the session was not kept (${kept})`);
  // A sample goes on to its end.
  if (nth % 10 === 0 && problems.length === 0) {
    github.keep("1001", result.artifacts);
    await using next = await github.run(stepWorkflow(), {
      runId: "1002",
      inputs: { "resume-from": "1001" },
    });
    if (next.conclusion !== "success") problems.push(`the next run: ${next.conclusion}`);
  }
  return { problems, ms: endedAt - cancelledAt };
}

function faultsOf(artifacts: string, orphans: readonly string[]): string[] {
  const [name] = readdirSync(artifacts);
  if (name === undefined) return ["there is no artifact"];
  const folder = join(artifacts, name);
  const last = readFileSync(join(folder, "journal.jsonl"), "utf8").trim().split("\n").at(-1) ?? "";
  const reason = JSON.parse(last).reason;
  return [
    // A signal may come when all is done already.
    ...(["cancelled", "all_done"].includes(reason) ? [] : [`the journal ends with ${last}`]),
    ...(existsSync(join(folder, "objects.pack")) ? [] : ["there is no pack"]),
    ...orphans.map((orphan) => `survivor: ${orphan}`),
  ];
}

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await pause(10);
}
