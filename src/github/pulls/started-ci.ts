import { isJobToken } from "../api/viewer.ts";
import type { PublishDeps } from "../publication/publish-request.ts";

/** Whether a pushed commit is checked; if not, the setting to change. */
export type CiStart =
  | { kind: "started"; names: readonly string[] }
  /** Runs exist, but wait for approval. */
  | { kind: "waiting"; names: readonly string[]; remedy: string }
  /** The repository has no workflow besides ralph's, and no other service reacted. */
  | { kind: "no-ci" }
  | { kind: "not-started"; remedy: string };

export interface PushedHead {
  head: string;
  /** The account whose push should start it; default: the viewer. */
  pusher?: { login: string };
  /** The publisher's own workflow run, which does not count. */
  ownRunId?: string | undefined;
  /** File of the publisher's own workflow, such as `ralph.yml`. */
  ownWorkflow?: string | undefined;
}

/** Pauses before each check, half a minute in all. */
const pausesMs = [2000, 4000, 8000, 16_000] as const;

type CiDeps = Pick<PublishDeps, "github" | "clock" | "viewer">;

/** Watches for up to half a minute whether a push starts any checks; otherwise names the setting that prevents it. */
export async function checkCiStart(deps: CiDeps, pushed: PushedHead): Promise<CiStart> {
  const [first = 0, ...later] = pausesMs;
  const early = await watch(deps, pushed, [first]);
  if (early) return early;
  const { ask, repo } = deps.github;
  const workflows = await ask(purposeOf("actions: read"), ({ paginate, rest }) =>
    paginate(rest.actions.listRepoWorkflows, { ...repo, per_page: 100 }),
  );
  const own = `.github/workflows/${pushed.ownWorkflow ?? ""}`;
  const others = workflows.filter(({ path }) => path !== own);
  // Without a workflow only another service could react, and those are quick.
  const pauses = others.length === 0 ? later.slice(0, 1) : later;
  const late = await watch(deps, pushed, pauses);
  return late ?? notStarted(others, pushed.pusher ?? deps.viewer);
}

async function watch(
  deps: CiDeps,
  pushed: PushedHead,
  pauses: readonly number[],
): Promise<CiStart | undefined> {
  for (const pauseMs of pauses) {
    await deps.clock.sleep(pauseMs);
    const seen = await readCiStart(deps, pushed);
    if (seen) return seen;
  }
  return undefined;
}

async function readCiStart(
  { github: { ask, repo } }: CiDeps,
  { head, ownRunId }: PushedHead,
): Promise<CiStart | undefined> {
  const all = await ask(purposeOf("actions: read"), ({ paginate, rest }) =>
    paginate(rest.actions.listWorkflowRunsForRepo, { ...repo, head_sha: head, per_page: 100 }),
  );
  const runs = all.filter(({ id }) => String(id) !== ownRunId);
  const waiting = runs.filter(isWaiting);
  const started = runs.filter((run) => !isWaiting(run));
  if (started.length > 0) return { kind: "started", names: namesOf(started) };
  const suites = await ask(purposeOf("checks: read"), ({ paginate, rest }) =>
    paginate(rest.checks.listSuitesForRef, { ...repo, ref: head, per_page: 100 }),
  );
  // Every installed App gets a suite for every push, also this App and Actions.
  const apps = suites.flatMap(({ app, latest_check_runs_count: count }) =>
    app && count > 0 && app.slug !== "github-actions" ? [app] : [],
  );
  if (apps.length > 0) return { kind: "started", names: namesOf(apps) };
  if (waiting.length === 0) return undefined;
  return { kind: "waiting", names: namesOf(waiting), remedy: approve };
}

type RunStatus = { status: string | null; conclusion: string | null };

const isWaiting = ({ status, conclusion }: RunStatus) =>
  status === "action_required" || conclusion === "action_required";

const namesOf = (things: readonly { name?: string | null | undefined }[]) => [
  ...new Set(things.map(({ name }) => name ?? "a workflow")),
];

const purposeOf = (permission: "actions: read" | "checks: read") =>
  ({ act: "check whether CI has started", permission, reason: "pr" }) as const;

const approve =
  "Approve them on the pull request. To avoid approvals, let an App open it: the secrets `app-id` and `app-private-key` of the reusable workflow, or the step's input `github-token`.";

function notStarted(
  workflows: readonly { path: string; state: string }[],
  pusher: { login: string },
): CiStart {
  if (workflows.length === 0) return { kind: "no-ci" };
  const disabled = workflows.filter(({ state }) => state !== "active");
  if (disabled.length === workflows.length) {
    const names = disabled.map(({ path }) => path).join(", ");
    const remedy = `Enable a workflow on the Actions tab: ${names} ${disabled.length === 1 ? "is" : "are"} disabled.`;
    return { kind: "not-started", remedy };
  }
  return { kind: "not-started", remedy: isJobToken(pusher) ? otherToken : pullTrigger };
}

const otherToken =
  "Let an App or a person open it: the secrets `app-id` and `app-private-key` or `github-token` of the reusable workflow, or the step's input `github-token`. Pushes and pull requests by the job's own token start no workflow. Until then, close the pull request and reopen it by hand.";
const pullTrigger =
  "Add `pull_request:` to the `on:` of the workflow that checks pull requests, and make sure its `branches:` and `paths:` include this one.";
