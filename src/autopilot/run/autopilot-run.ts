import * as z from "zod";
import { Usage } from "../../core/state/measurement.ts";
import { RalphError } from "../../error.ts";
import type { SessionStore } from "../../journal/session-store.ts";
import type { ReadFiles } from "../../platform/system.ts";
import { AutopilotPlan } from "../../schema/autopilot/plan.ts";
import { parseJsonAs } from "../../schema/base/parse-json-as.ts";
import { RunRecordFile } from "../../schema/session-files/run-record.ts";
import { createWorkRequest, WorkRequest } from "../../schema/work-request.ts";
import { maxPlanBytes, planFile } from "../../session/bundle/bundled-objects.ts";

const KeptReport = z.object({
  path: z.string(),
  text: z.string(),
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
  kind: z.enum(["file", "issue"]),
});

const StoredRun = AutopilotPlan.extend({
  started_at: z.string(),
  /** The report it works from; while there are `others`, only the first of the documents to choose from. */
  report: KeptReport,
  /** Removed once the item is chosen. */
  others: z.array(KeptReport).optional(),
  /** Its author may lack write access to the repository: nothing runs without the sandbox. */
  untrusted: z.boolean(),
  wishes: z.object({
    branch: z.string().optional(),
    range: z.object({ min: z.int(), max: z.int() }).optional(),
    document: z.enum(["with", "without"]),
    mode: z.enum(["autonomous", "interactive"]),
    pull: z.boolean(),
    /** Only in runs of earlier versions, which had no `work`: a person asked for this item by name. */
    again: z.boolean().optional(),
  }),
  /** Absent in runs of earlier versions. */
  work: WorkRequest.optional(),
  /** A person has approved the document, or no approval is required. */
  approved: z.boolean(),
  /** The session has ended and its result is published. */
  completed: z.boolean(),
  asked: z.object({ calls: z.int(), usage: Usage, by: z.string().optional() }),
  record: RunRecordFile.optional(),
  kept_at: z.string().optional(),
});

/** The results of a run so far. Missing ones are produced next, so that a killed run resumes where it stopped. */
export type AutopilotRun = Omit<z.infer<typeof StoredRun>, "wishes"> & {
  /** `wishes` in the file. */
  requested: Omit<z.infer<typeof StoredRun>["wishes"], "again">;
};

const folder = "autopilot";
/** Older runs are only known by their records in the repository. */
const keptRuns = 100;

/** Where a run keeps its state and its evidence in the store, which no agent can reach. */
export const runFolder = (runId: string) => `${folder}/${runId}`;

const stateFile = (runId: string) => `${runFolder(runId)}/${planFile}`;

/** Saves a run's state; survives a power cut. */
export async function saveAutopilotRun({ files }: SessionStore, run: AutopilotRun): Promise<void> {
  await files.write(stateFile(run.run_id), renderAutopilotRun(run), { durable: true });
}

/** The text of `autopilot.json`. */
export const renderAutopilotRun = ({ requested, ...run }: AutopilotRun) =>
  `${JSON.stringify({ ...run, wishes: requested }, null, 2)}\n`;

/** Undefined for anything but the state of an autopilot run. */
export function parseAutopilotRun(bytes: Buffer): AutopilotRun | undefined {
  const stored = parseJsonAs(StoredRun, bytes.toString("utf8"));
  if (!stored) return undefined;
  const { wishes, ...run } = stored;
  const { again, ...requested } = wishes;
  const issue = again && !run.work ? issueOfReport(run.report.path) : undefined;
  if (issue === undefined) return { ...run, requested };
  const asked = { item: `issue-${issue}`, issue, trigger: "start-command" } as const;
  return { ...run, requested, work: createWorkRequest({ command: "run", ...asked }) };
}

/** The issue a report was written from; undefined for any other file. */
export function issueOfReport(path: string): number | undefined {
  const [, issue] = /^reports\/issue-(\d+)\.md$/.exec(path) ?? [];
  return issue === undefined ? undefined : Number(issue);
}

/** Whether a person commanded this one issue, so that earlier work on it does not count; among several the model chooses. */
export const overridesPast = (work: WorkRequest | undefined): boolean =>
  work?.command === "run" && work.overridesRejection;

/** The runs of this machine, oldest first, without the unreadable ones. */
export async function readAutopilotRuns(store: SessionStore): Promise<AutopilotRun[]> {
  const names = await runNames(store);
  const runs = await Promise.all(names.map((name) => readAutopilotRun(store, name)));
  return runs.filter((run) => run !== undefined);
}

/** The newest readable run. */
export async function readLastAutopilotRun(store: SessionStore): Promise<AutopilotRun | undefined> {
  for (const name of (await runNames(store)).toReversed()) {
    const run = await readAutopilotRun(store, name);
    if (run) return run;
  }
  return undefined;
}

const runNames = async ({ files }: SessionStore) =>
  (await files.list(folder)).filter((name) => /^\d{8}-\d{6}-/.test(name)).toSorted();

/** One run; undefined when it is missing or unreadable. */
export async function readAutopilotRun(
  { files }: SessionStore,
  runId: string,
): Promise<AutopilotRun | undefined> {
  const bytes = await files.read(stateFile(runId), { maxBytes: maxPlanBytes });
  return bytes && parseAutopilotRun(bytes);
}

/** Whether its report counts as processed: the run has committed something. */
export const hasCommits = ({ document_commit, list_commit }: AutopilotRun) =>
  (document_commit?.commit ?? list_commit?.commit) !== undefined;

/** Removes all but the newest runs. */
export async function forgetOldRuns({ files }: SessionStore): Promise<void> {
  const names = (await files.list(folder)).toSorted();
  for (const name of names.slice(0, -keptRuns)) await files.remove(`${folder}/${name}`);
}

/** The files a run was about to commit when it was killed. */
export function openPaths({ document_commit, list_commit }: AutopilotRun): string[] {
  const planned = [document_commit, list_commit];
  return planned.flatMap((one) => (one && one.commit === undefined ? one.paths : []));
}

/** The chosen item, in a step that follows the choice. */
export function requireAnalyzed({ analyzed }: AutopilotRun): NonNullable<AutopilotRun["analyzed"]> {
  if (analyzed) return analyzed;
  throw new Error("The steps are taken in their order.");
}

/** The autopilot run a bundle claims to belong to, not yet verified. Undefined for the bundle of a plain session. */
export async function readBundledRun(files: ReadFiles): Promise<AutopilotRun | undefined> {
  const bytes = await files.read(planFile, { maxBytes: maxPlanBytes });
  const run = bytes && parseAutopilotRun(bytes);
  if (run || bytes === undefined) return run;
  throw new RalphError("source", {
    message: `${files.root}/${planFile} is not the state of an autopilot run.`,
    remedy: "Give the folder of a whole session artifact.",
  });
}

/** The same; a bundle without an autopilot run is exit 2. */
export async function requireBundledRun(files: ReadFiles): Promise<AutopilotRun> {
  const run = await readBundledRun(files);
  if (run) return run;
  throw new RalphError("source", {
    message: `${files.root} is not the bundle of an autopilot run: it has no ${planFile}.`,
    remedy: "Resume a plain session with `ralph run --resume FOLDER`.",
  });
}
