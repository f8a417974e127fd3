import { readFileSync } from "node:fs";
import { join } from "node:path";
import { type CrashProject, type CrashTemplate, createCrashTemplate } from "./project.ts";
import { faultsAfter, recover } from "./recovery.ts";
import type { KillPoint, Moment } from "./system.ts";

/** All of them also write into one file, so that what lands second does not fit at first. */
const onCall = `case $RALPH_ROLE in
implementation) grep -qx "$task" shared.txt 2>/dev/null || echo "$task" >>shared.txt ;;
esac`;

export const createParallelTemplate = (): Promise<CrashTemplate> =>
  createCrashTemplate({ onCall, isParallel: true });

/** Side by side nothing happens in the same order twice, so a number of effects is as random as a time. */
const effects = 700;
const moments: readonly Moment[] = ["before", "within", "after"];

/**
 * Starts sessions and kills each of them and its resumptions, up to five times in a row, until there were so many
 * kills. Answers everything that is wrong then, and how many there were. Two sessions at a time.
 */
export async function killAtRandom(
  template: CrashTemplate,
  wanted: number,
): Promise<{ faults: string[]; kills: number }> {
  const faults: string[] = [];
  let kills = 0;
  let nth = 0;
  const work = async () => {
    while (kills < wanted) {
      const points = Array.from({ length: 1 + (nth % 5) }, randomPoint);
      const found = await killInRow(template, { points, name: `parallel-${nth++}` });
      kills += found.kills;
      faults.push(...found.faults);
    }
  };
  await Promise.all([work(), work()]);
  return { faults, kills };
}

const randomPoint = (): KillPoint => ({
  at: 1 + Math.floor(Math.random() * effects),
  how: moments[Math.floor(Math.random() * moments.length)] ?? "after",
});

async function killInRow(
  template: CrashTemplate,
  { points, name }: { points: readonly KillPoint[]; name: string },
): Promise<{ faults: string[]; kills: number }> {
  using project = template.copy(name);
  let kills = 0;
  for (const [index, point] of points.entries()) {
    const args = index === 0 ? ["run"] : ["run", "--resume"];
    const { code, output } = await project.ralph(args, { point });
    if (code === null) kills += 1;
    // Killed before its journal began there is nothing to resume; one that has ended is not killed any more.
    else if (code !== 0 && code !== 2) return { faults: [`ended with ${code}: ${output}`], kills };
  }
  const ended = await recover(project);
  const faults = [...(await faultsAfter(project, ended)), ...sharedFaults(project)];
  const where = points.map(({ how, at }) => `${how} ${at}`).join(", ");
  return { faults: faults.map((fault) => `${name}, killed ${where}: ${fault}`), kills };
}

function sharedFaults({ root }: CrashProject): string[] {
  const lines = readFileSync(join(root, "shared.txt"), "utf8").trim().split("\n").sort();
  return lines.join() === "T-001,T-002,T-003" ? [] : [`shared.txt holds ${lines.join()}`];
}
