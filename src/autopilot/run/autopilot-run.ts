import * as z from "zod";
import { Usage } from "../../core/state/event.ts";
import type { SessionStore } from "../../journal/session-store.ts";
import { AutopilotPlan } from "../../schema/autopilot/plan.ts";
import { RunRecordFile } from "../../schema/session-files/run-record.ts";
import { maxPlanBytes, planFile } from "../../session/bundle/bundled-plan.ts";

const KeptReport = z.object({
  path: z.string(),
  text: z.string(),
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
  kind: z.enum(["file", "issue"]),
});

/** What a run has so far. What is missing is done next, so that a run that was killed goes on where it stopped. */
export const AutopilotRun = AutopilotPlan.extend({
  started_at: z.string(),
  /** What it works from; as long as there are `others`, only the first of what it may choose from. */
  report: KeptReport,
  /** Gone once the item is chosen. */
  others: z.array(KeptReport).optional(),
  /** Perhaps written by somebody who may not write to the repository: nothing runs without the sandbox. */
  untrusted: z.boolean(),
  wishes: z.object({
    branch: z.string().optional(),
    range: z.object({ min: z.int(), max: z.int() }).optional(),
    document: z.enum(["with", "without"]),
    mode: z.enum(["autonomous", "interactive"]),
    /** Whether a pull request is wanted. */
    pull: z.boolean(),
    /** A person has commanded it, whatever became of the same item before. */
    again: z.boolean().optional(),
  }),
  /** A person has read the document, or nobody has to. */
  approved: z.boolean(),
  /** The session and the publishing are over. */
  completed: z.boolean(),
  /** Questions that were answered, and what they used. */
  asked: z.object({ calls: z.int(), usage: Usage, by: z.string().optional() }),
  record: RunRecordFile.optional(),
  /** When it was last kept: since then what is missing is being made. */
  kept_at: z.string().optional(),
});
export type AutopilotRun = z.infer<typeof AutopilotRun>;

const folder = "autopilot";
/** Of older ones only the records in the repository tell. */
const keptRuns = 100;

/** Where a run keeps its state and its evidence in the store, outside of every agent's reach. */
export const runFolder = (runId: string) => `${folder}/${runId}`;

const stateFile = (runId: string) => `${runFolder(runId)}/${planFile}`;

/** Keeps what a run has so far; survives a power cut. */
export async function saveAutopilotRun({ files }: SessionStore, run: AutopilotRun): Promise<void> {
  await files.write(stateFile(run.run_id), renderAutopilotRun(run), { durable: true });
}

/** The text of `autopilot.json`. */
export const renderAutopilotRun = (run: AutopilotRun) => `${JSON.stringify(run, null, 2)}\n`;

/** Undefined for what is no state of ours. */
export function parseAutopilotRun(bytes: Buffer): AutopilotRun | undefined {
  try {
    return AutopilotRun.safeParse(JSON.parse(bytes.toString("utf8"))).data;
  } catch {
    return undefined;
  }
}

/** The runs of this machine, oldest first; what cannot be read is none. */
export async function readAutopilotRuns(store: SessionStore): Promise<AutopilotRun[]> {
  const names = await runNames(store);
  const runs = await Promise.all(names.map((name) => readAutopilotRun(store, name)));
  return runs.filter((run) => run !== undefined);
}

/** The newest one, without reading the others. */
export async function readLastAutopilotRun(store: SessionStore): Promise<AutopilotRun | undefined> {
  for (const name of (await runNames(store)).toReversed()) {
    const run = await readAutopilotRun(store, name);
    if (run) return run;
  }
  return undefined;
}

const runNames = async ({ files }: SessionStore) =>
  (await files.list(folder)).filter((name) => /^\d{8}-\d{6}-/.test(name)).toSorted();

/** One run; undefined when it is not there or cannot be read. */
export async function readAutopilotRun(
  { files }: SessionStore,
  runId: string,
): Promise<AutopilotRun | undefined> {
  const bytes = await files.read(stateFile(runId), { maxBytes: maxPlanBytes });
  return bytes && parseAutopilotRun(bytes);
}

/** Whether its report counts as worked on: there are commits of it. */
export const hasCommits = ({ document_commit, list_commit }: AutopilotRun) =>
  (document_commit?.commit ?? list_commit?.commit) !== undefined;

/** Removes the oldest runs beyond what is kept. */
export async function forgetOldRuns({ files }: SessionStore): Promise<void> {
  const names = (await files.list(folder)).toSorted();
  for (const name of names.slice(0, -keptRuns)) await files.remove(`${folder}/${name}`);
}

/** Files a run was about to commit when it was killed. */
export function openPaths({ document_commit, list_commit }: AutopilotRun): string[] {
  const planned = [document_commit, list_commit];
  return planned.flatMap((one) => (one && one.commit === undefined ? one.paths : []));
}
