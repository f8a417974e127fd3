import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { CrashProject, CrashTemplate } from "./project.ts";
import { copyFolder } from "./published-run.ts";
import { faultsAfter, recover } from "./recovery.ts";
import type { KillPoint, Moment } from "./system.ts";

/** `name` says which effect it is: `write .ralph/prd.json`, `ask git read-tree`. */
export type NamedPoint = KillPoint & { name: string };

/** Every point of a run: before each effect, within it where it has a half, and after it. */
export async function enumeratePoints(
  template: CrashTemplate,
  before: readonly KillPoint[] = [],
): Promise<NamedPoint[]> {
  using project = template.copy("enumerate");
  for (const point of before) await project.ralph(["run"], { point });
  const effects = join(project.root, "../effects");
  const { code, output } = await project.ralph(argsAfter(before), { effects });
  if (code !== 0) throw new Error(output);
  const names = readFileSync(effects, "utf8").trim().split("\n");
  return names.flatMap((name, index) =>
    momentsOf(name).map((how) => ({ at: index + 1, how, name })),
  );
}

const argsAfter = ({ length }: readonly unknown[]) =>
  length === 0 ? ["run"] : ["run", "--resume"];

/** Those at which an effect can be cut off. */
export const momentsOf = (name: string): Moment[] =>
  name.endsWith("(half)") ? ["before", "within", "after"] : ["before", "after"];

/** At most `count` points of each kind of effect and moment, spread over the whole run. */
export function thin<Point extends NamedPoint>(points: readonly Point[], count: number): Point[] {
  const kinds = Map.groupBy(points, ({ name, how }) => `${name.split(" ")[0]} ${how}`);
  return [...kinds.values()].flatMap((kind, nth) => {
    const step = Math.max(1, kind.length / count);
    // Each kind begins elsewhere, so that together they are spread too.
    const first = ((nth % 7) / 7) * step;
    const stretchOf = (index: number) => Math.floor((index - first) / step);
    return kind.filter((_, index) => stretchOf(index) !== stretchOf(index - 1));
  });
}

/**
 * Kills a run at each point, goes on, and tells everything that is wrong then. Two at a time. With `before`, a
 * run is killed there first, and what is killed at the points is its resumption.
 */
export async function sweep(
  template: CrashTemplate,
  points: readonly NamedPoint[],
  before: readonly KillPoint[] = [],
): Promise<string[]> {
  const waiting = [...points];
  const faults: string[] = [];
  const work = async (name: string) => {
    using project = template.copy(name);
    for (const point of before) await project.ralph(["run"], { point });
    // What a run leaves belongs to its path, and the first kill is the same for every point.
    const folder = dirname(project.root);
    copyFolder(folder, `${folder}-begun`);
    for (let point = waiting.shift(); point; point = waiting.shift()) {
      copyFolder(`${folder}-begun`, folder);
      faults.push(...(await killAt(project, point, argsAfter(before))));
    }
  };
  await Promise.all([work("one"), work("other")]);
  return faults;
}

async function killAt(
  project: CrashProject,
  point: NamedPoint,
  args: readonly string[],
): Promise<string[]> {
  const { at, how, name } = point;
  const killed = await project.ralph(args, { point });
  const ended = await recover(project);
  const faults = await faultsAfter(project, ended);
  if (killed.code !== null) faults.push(`was not killed, but ended with ${killed.code}`);
  return faults.map((fault) => `${how} effect ${at}, ${name}: ${fault}`);
}
