import { dirname } from "node:path/posix";
import type { SessionState } from "../../core/state/session-state.ts";
import { RalphError } from "../../error.ts";
import { type PackContents, writePack } from "../../git/commits/bundle.ts";
import { openRepository } from "../../git/open/open-repository.ts";
import { replayJournal } from "../../journal/journal.ts";
import type { ReadFiles, System } from "../../platform/system.ts";
import { AutopilotPlan, planHead } from "../../schema/autopilot/plan.ts";
import { parseJsonAs } from "../../schema/base/parse-json-as.ts";

/** The file of a bundle that holds its git objects. */
export const packFile = "objects.pack";

/** The objects of a bundle: the session's commits and kept trees, and those between an autopilot run's base and its session. */
export async function bundledObjects(
  files: ReadFiles,
  state: SessionState,
): Promise<Omit<PackContents, "file">> {
  const plan = await bundledPlanOf(files, state);
  const exclude = plan?.base ?? state.session.start.commit;
  return {
    commits: state.head === exclude ? [] : [state.head],
    trees: state.tasks.flatMap(({ kept, checkpoint: { parts } = {} }) => [
      ...(kept ? [kept] : []),
      ...(parts ? [parts.tests, parts.work] : []),
    ]),
    exclude,
  };
}

/** The plan of an autopilot run: in the run's folder of the store, and in every bundle of its session. */
export const planFile = "autopilot.json";
export const maxPlanBytes = 16 * 1024 * 1024;

/** The plan of the autopilot run a bundle belongs to, as the bundle claims it: `checkPlan` verifies it. */
export async function readBundledPlan(files: ReadFiles): Promise<AutopilotPlan | undefined> {
  const bytes = await files.read(planFile, { maxBytes: maxPlanBytes });
  const plan = parseJsonAs(AutopilotPlan, bytes?.toString("utf8"));
  if (plan || bytes === undefined) return plan;
  throw new RalphError("source", {
    message: `${files.root}/${planFile} is not a plan that \`ralph autopilot\` writes.`,
    remedy: "Give the folder of a complete session artifact.",
  });
}

/** The plan a session starts from; a later session on the same branch has none. */
export async function bundledPlanOf(
  files: ReadFiles,
  { session: { start, branch } }: SessionState,
): Promise<AutopilotPlan | undefined> {
  const plan = await readBundledPlan(files);
  if (!plan) return undefined;
  const isOwn = planHead(plan) === start.commit && plan.branch === branch;
  return isOwn ? plan : undefined;
}

type SessionFolder = { directory: string; folder: string };

/** Completes the folder of a killed session to a bundle by packing its objects. `empty`: it was killed before it began. */
export async function finalizeBundle(
  system: System,
  { directory, folder }: SessionFolder,
): Promise<"whole" | "sealed" | "empty"> {
  const files = system.files(folder);
  const replay = await replayJournal(files);
  if (!replay) return "empty";
  if (replay.state.end && (await files.stat(packFile))) return "whole";
  await packSession(system, { directory, folder });
  return "sealed";
}

/** Packs the objects of the session in a folder of the store, whether or not there is a pack already. */
export async function packSession(system: System, { directory, folder }: SessionFolder) {
  const files = system.files(folder);
  const replay = await replayJournal(files);
  if (!replay) return;
  const { state } = replay;
  // A session's folder is `sessions/<id>` in its store.
  const stateDir = dirname(dirname(folder));
  const { branch } = state.session;
  const repo = await openRepository(system, { directory, stateDir, branch });
  const objects = await bundledObjects(files, state);
  await writePack(repo, { file: `${folder}/${packFile}`, ...objects });
}
