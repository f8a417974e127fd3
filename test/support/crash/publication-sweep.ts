import { existsSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { CrashProject, CrashTemplate, Ended } from "./project.ts";
import { openPublishedRun, type PublishedRun } from "./published-run.ts";
import { recover } from "./recovery.ts";
import { momentsOf } from "./sweep.ts";
import type { KillPoint, Moment } from "./system.ts";

/** A point of the run or of its publication; `kind` is the first word of its name. */
export interface StagedPoint extends KillPoint {
  readonly stage: "run" | "publish";
  readonly kind: "file" | "git" | "http" | "program";
  readonly name: string;
}

/** Every effect of a run of five tasks and of its publication, without a moment yet. */
export async function enumerateStages(template: CrashTemplate): Promise<StagedPoint[]> {
  await using scene = await openPublishedRun(template, "enumerate");
  scene.begin();
  const found: StagedPoint[] = [];
  for (const stage of ["run", "publish"] as const) {
    const effects = join(scene.project.root, "../effects");
    const { code, output } = await scene.project.ralph([stage], { effects });
    if (code !== 0) throw new Error(output);
    const names = readFileSync(effects, "utf8").trim().split("\n");
    rmSync(effects);
    for (const [index, name] of names.entries())
      found.push({ stage, at: index + 1, how: "before", kind: kindOf(name), name });
  }
  return found;
}

function kindOf(name: string): StagedPoint["kind"] {
  const [verb = ""] = name.split(" ");
  const kinds = { ask: "git", http: "http", supervise: "program" } as const;
  return verb === "ask" || verb === "http" || verb === "supervise" ? kinds[verb] : "file";
}

/**
 * Each effect at one of its moments, in turn for each kind of effect, so that every kind is killed at all of them. With
 * `later` 1 at the moment after that one.
 */
export function inTurn(points: readonly StagedPoint[], later = 0): StagedPoint[] {
  const counts = new Map<string, number>();
  return points.map((point) => {
    const moments = momentsOf(point.name);
    const [verb = ""] = point.name.split(" ");
    const nth = counts.get(verb) ?? 0;
    counts.set(verb, nth + 1);
    return { ...point, how: moments[(nth + later) % moments.length] ?? "before" };
  });
}

/** Each effect that can fail, failing. */
export const failing = (points: readonly StagedPoint[]): StagedPoint[] =>
  points.filter(({ kind }) => kind !== "program").map((point) => ({ ...point, how: "fails" }));

export interface Sweep {
  readonly faults: readonly string[];
  /** The kinds of the effects that met an error, as their processes say. */
  readonly errors: readonly StagedPoint["kind"][];
}

/**
 * Kills a run or its publication at a point, or makes it fail there, and goes on to the end; with several points in a row,
 * what goes on meets the next one. Two rows at a time. A share of the runs is published too.
 */
export async function sweepStages(
  template: CrashTemplate,
  rows: readonly (readonly StagedPoint[])[],
): Promise<Sweep> {
  const waiting = [...rows];
  const faults: string[] = [];
  const errors: StagedPoint["kind"][] = [];
  const work = async (name: string) => {
    await using scene = await openPublishedRun(template, name);
    for (let row = waiting.shift(); row; row = waiting.shift()) {
      const [{ stage } = { stage: "run" }] = row;
      const isPublished = stage === "publish" || waiting.length % publishedShare === 0;
      const found = await tryRow(scene, row, isPublished);
      errors.push(...found.errors.map(kindOf));
      const place = row.map(({ how, at, name: effect }) => `${how} effect ${at}, ${effect}`);
      faults.push(...found.faults.map((fault) => `${stage}, ${place.join("; ")}: ${fault}`));
    }
  };
  await Promise.all([work("one"), work("other")]);
  return { faults, errors };
}

const publishedShare = 8;

async function tryRow(scene: PublishedRun, row: readonly StagedPoint[], isPublished: boolean) {
  const { project } = scene;
  const stage = row[0]?.stage ?? "run";
  if (stage === "run") scene.begin();
  else scene.finish();
  const { code, faults } = await stopInRow(project, row);
  const errors = existsSync(noteOf(project))
    ? readFileSync(noteOf(project), "utf8").trim().split("\n")
    : [];
  const ended = [
    ...(stage === "run" && code !== 0 ? [await recover(project)] : []),
    ...(isPublished ? [await project.ralph(["publish"])] : []),
  ].filter((each) => each.code !== 0);
  return {
    errors,
    faults: [
      ...faults,
      ...(row[0]?.how === "fails" && errors.length === 0 ? ["met no error"] : []),
      ...ended.map(({ code: end, output }) => `ended with ${end}: ${output.slice(-1500)}`),
      ...(await scene.faults(isPublished)),
    ],
  };
}

const noteOf = ({ root }: CrashProject) => join(root, "../errors");

/** Its points one after the other, and how the last command ended. */
async function stopInRow(project: CrashProject, row: readonly StagedPoint[]) {
  const faults: string[] = [];
  let code: number | null | undefined;
  let done = 0;
  for (const { at, how, stage } of row) {
    // A resumption has done the effects before the last error; a publication begins again.
    const point = { at: at - done, how };
    const stopped = await project.ralph(argsOf(stage, code), { point, errors: noteOf(project) });
    faults.push(...stopFaults(stopped, how));
    code = stopped.code;
    if (stage === "run" && code === 0) break;
    if (stage === "run") done = at;
  }
  return { code, faults };
}

/** A run that was stopped before it had begun has nothing to resume. */
function argsOf(stage: StagedPoint["stage"], before: number | null | undefined): string[] {
  if (stage === "publish") return ["publish"];
  return before === undefined || before === 2 ? ["run"] : ["run", "--resume"];
}

function stopFaults({ code, output }: Ended, how: Moment): string[] {
  if (how !== "fails") return code === null ? [] : [`was not killed, but ended with ${code}`];
  return [
    ...(code === null ? ["ended by a signal"] : []),
    ...(/^\s+at /m.test(output) ? [`printed a stack trace: ${output.slice(-1500)}`] : []),
  ];
}

/** Points in rows of one stage each, in the order of their effects; each row is spread over its stage. */
export function inRows(points: readonly StagedPoint[], length: number): StagedPoint[][] {
  const sorted = points.toSorted((one, other) => one.at - other.at);
  return Object.values(Object.groupBy(sorted, ({ stage }) => stage)).flatMap((staged = []) => {
    const count = Math.ceil(staged.length / length);
    return Array.from({ length: count }, (_, nth) =>
      staged.filter((_point, index) => index % count === nth),
    );
  });
}
