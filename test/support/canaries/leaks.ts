import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import type { ActionProject } from "../action/project.ts";
import { askGit } from "../project/small-shell.ts";
import type { JobResult, StepResult, WorkflowResult } from "../runner/model.ts";
import type { FindCanaries } from "./canaries.ts";

type Ended = { github: ActionProject; result: WorkflowResult };

/** Which secrets stand in what outlives a run, by the place: nothing is what a test wants. */
export function findLeaks({ github, result }: Ended, find: FindCanaries): Record<string, string[]> {
  const remote = github.remoteGit("rev-parse", "--absolute-git-dir");
  const places: Record<string, Buffer | string> = {
    ...Object.fromEntries(result.jobs.flatMap(placesOf)),
    ...artifactFiles(result.artifacts),
    ...packedObjects(github.project.root, result.artifacts),
    "objects on GitHub": allObjects(remote),
    "branches on GitHub": github.remoteGit("for-each-ref"),
  };
  const leaks = Object.entries(places).map(([name, content]) => [name, find(content)] as const);
  return Object.fromEntries(leaks.filter(([, secrets]) => secrets.length > 0));
}

function placesOf(job: JobResult): [string, string][] {
  const outputs = (steps: StepResult[]): unknown =>
    steps.map((step) => [step.outputs, outputs(step.steps)]);
  return [
    [`raw log of ${job.name}`, job.rawLog.join("\n")],
    [`log of ${job.name}`, job.log.join("\n")],
    [`summary of ${job.name}`, job.summary],
    [`outputs of ${job.name}`, JSON.stringify([job.outputs, outputs(job.steps)])],
    [`annotations of ${job.name}`, JSON.stringify(job.annotations)],
  ];
}

function artifactFiles(folder: string): Record<string, Buffer> {
  const paths = readdirSync(folder, { recursive: true, encoding: "utf8" });
  const files = paths.filter((path) => statSync(join(folder, path)).isFile());
  return Object.fromEntries(
    files.map((path) => [`artifact ${path}`, readFileSync(join(folder, path))]),
  );
}

/** Git compresses what is in a pack; the repository has what the pack is built on. */
function packedObjects(repository: string, artifacts: string): Record<string, Buffer> {
  const packs = readdirSync(artifacts)
    .map((name) => join(artifacts, name, "objects.pack"))
    .filter(existsSync);
  for (const pack of packs) {
    git(repository, ["index-pack", "--stdin", "--fix-thin"], readFileSync(pack));
  }
  return { "objects of the artifact": allObjects(repository) };
}

function allObjects(repository: string): Buffer {
  return git(repository, ["cat-file", "--batch-all-objects", "--batch"]);
}

function git(cwd: string, args: string[], input: Buffer = Buffer.alloc(0)): Buffer {
  const env = { PATH: process.env.PATH, GIT_CONFIG_NOSYSTEM: "1", GIT_CONFIG_GLOBAL: "/dev/null" };
  return askGit(args, { cwd, env, input });
}
