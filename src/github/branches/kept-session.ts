import { type Reading, readJournal } from "../../journal/audit.ts";
import type { System } from "../../platform/system.ts";
import type { GitHub } from "../api/create-github.ts";
import { downloadBundle } from "../artifacts/download-bundle.ts";
import { newestSession } from "../artifacts/session-artifact.ts";
import type { KeptSession } from "./decide-work.ts";

/** Runs without a session, such as quiet ones, that are passed over. */
const maxRuns = 30;

export interface KeptQuery {
  /** File of this workflow, such as `ralph.yml`: another workflow's sessions do not count. */
  workflow: string;
  /** The present run, which has kept nothing yet. */
  runId: string;
  /** `artifact-suffix` of the workflow. */
  suffix: string;
  /** Empty folder for the session. */
  folder: string;
}

/**
 * Downloads the newest session that a run of this workflow kept; undefined without one. Only runs of the repository itself
 * count, and none of a pull request, whose author chooses what it uploads (T57).
 */
export async function downloadKeptSession(
  { github, system }: { github: GitHub; system: Pick<System, "files" | "clock"> },
  query: KeptQuery,
): Promise<KeptSession | undefined> {
  for (const run of await listRuns(github, query)) {
    const runId = String(run.id);
    const artifact = await newestSession(github, { runId, suffix: query.suffix });
    if (artifact === undefined) continue;
    const folder = `${query.folder}/${artifact.name}`;
    await downloadBundle({ github, system }, { artifact, folder });
    return keptSessionOf(await readJournal(system.files(folder)), runId);
  }
  return undefined;
}

async function listRuns(github: GitHub, { workflow, runId }: KeptQuery) {
  const wanted = { ...github.repo, workflow_id: workflow, per_page: maxRuns };
  const { data } = await github.ask(
    { act: "list the runs of this workflow", permission: "actions: read", reason: "source" },
    ({ rest }) => rest.actions.listWorkflowRuns(wanted),
  );
  return data.workflow_runs.filter(
    ({ id, event, head_repository: from }) =>
      String(id) !== runId &&
      !event.startsWith("pull_request") &&
      // Null for a deleted fork, whatever the types say.
      from?.full_name.toLowerCase() === github.repository.toLowerCase(),
  );
}

/** The facts of a session; undefined when its journal is broken. */
function keptSessionOf(
  { state, moments, broken }: Reading,
  runId: string,
): KeptSession | undefined {
  if (!state || broken) return undefined;
  const { pending } = state.agents;
  const resetsAt = pending?.kind === "limited" ? pending.resetsAt : undefined;
  return {
    runId,
    branch: state.session.branch,
    start: state.session.start.commit,
    reason: state.end?.reason,
    message: state.end?.message ?? "The session was cut off.",
    passed: state.tasks.filter((task) => task.state === "passed" && !task.passedBefore).length,
    continuations: moments.filter(({ event }) => event.type === "session_resume").length,
    ...(resetsAt !== undefined && { resetsAt: Date.parse(resetsAt) }),
  };
}
