import * as z from "zod";
import type { Store } from "../journal/store.ts";
import { Analysis } from "../model/analysis.ts";
import { SessionId } from "../model/identity.ts";
import { RunRecord } from "../model/run-record.ts";
import { Usage } from "../run/event.ts";

/** Where a commit is made and when: repeated after a crash, the same files then give the same commit. */
const PlannedCommit = z.object({
  parent: z.string(),
  tree: z.string(),
  date: z.string(),
  paths: z.array(z.string()),
  /** Set once the branch is there. */
  commit: z.string().optional(),
});

const Line = z.object({ first: z.int(), last: z.int() });

/** What a run has so far. What is missing is done next, so that a run that was killed goes on where it stopped. */
export const RunState = z.object({
  run_id: SessionId,
  started_at: z.string(),
  /** Commit of the base branch. */
  base: z.string(),
  report: z.object({
    path: z.string(),
    text: z.string(),
    sha256: z.string(),
    kind: z.enum(["file", "issue"]),
  }),
  /** Perhaps written by somebody who may not write to the repository: nothing runs without the sandbox. */
  untrusted: z.boolean(),
  /** Where the task list goes. */
  task_path: z.string(),
  wishes: z.object({
    branch: z.string().optional(),
    range: z.object({ min: z.int(), max: z.int() }).optional(),
    document: z.enum(["with", "without"]),
    mode: z.enum(["autonomous", "interactive"]),
    /** Whether a pull request is wanted. */
    pull: z.boolean(),
  }),
  analyzed: z
    .object({
      analysis: Analysis,
      fingerprint: z.string(),
      source: z.object({ path: z.string(), sha256: z.string(), lines: Line.exactOptional() }),
    })
    .optional(),
  branch: z.string().optional(),
  document: z
    .object({
      path: z.string(),
      text: z.string(),
      requirements: z.array(z.object({ id: z.string(), text: z.string() })),
    })
    .optional(),
  document_commit: PlannedCommit.optional(),
  /** A person has read the document, or nobody has to. */
  approved: z.boolean(),
  list: z.string().optional(),
  list_commit: PlannedCommit.optional(),
  /** The session and the publishing are over. */
  completed: z.boolean(),
  /** Questions that were answered, and what they used. */
  asked: z.object({ calls: z.int(), usage: Usage }),
  record: RunRecord.optional(),
});
export type RunState = z.infer<typeof RunState>;
export type PlannedCommit = z.infer<typeof PlannedCommit>;

const folder = "autopilot";
const maxBytes = 16 * 1024 * 1024;
/** Of older ones only the records in the repository tell. */
const keptRuns = 100;

/** Where a run keeps its state and its evidence in the store, outside of every agent's reach. */
export const runFolder = (runId: string) => `${folder}/${runId}`;

const stateFile = (runId: string) => `${runFolder(runId)}/state.json`;

/** Keeps what a run has so far; survives a power cut. */
export async function saveState({ files }: Store, state: RunState): Promise<void> {
  const text = `${JSON.stringify(state, null, 2)}\n`;
  await files.write(stateFile(state.run_id), text, { durable: true });
}

/** The runs of this machine, oldest first; what cannot be read is none. */
export async function readStates(store: Store): Promise<RunState[]> {
  const names = (await store.files.list(folder)).filter((name) => /^\d{8}-\d{6}-/.test(name));
  const states = await Promise.all(names.toSorted().map((name) => readState(store, name)));
  return states.filter((state) => state !== undefined);
}

async function readState({ files }: Store, runId: string): Promise<RunState | undefined> {
  const bytes = await files.read(stateFile(runId), { maxBytes });
  try {
    return bytes && RunState.safeParse(JSON.parse(bytes.toString("utf8"))).data;
  } catch {
    return undefined;
  }
}

/** Whether its report counts as worked on: there are commits of it. */
export const hasCommits = ({ document_commit, list_commit }: RunState) =>
  (document_commit?.commit ?? list_commit?.commit) !== undefined;

/** Removes the oldest runs beyond what is kept. */
export async function forgetOldRuns({ files }: Store): Promise<void> {
  const names = (await files.list(folder)).toSorted();
  for (const name of names.slice(0, -keptRuns)) await files.remove(`${folder}/${name}`);
}

/** Files a run was about to commit when it was killed. */
export function openPaths({ document_commit, list_commit }: RunState): string[] {
  const planned = [document_commit, list_commit];
  return planned.flatMap((one) => (one && one.commit === undefined ? one.paths : []));
}
