import * as z from "zod";
import type { ApiRequest } from "../api/create-github.ts";
import { listAll } from "../api/list-pages.ts";
import { isJobToken } from "../api/viewer.ts";
import type { PublishDeps } from "../publication/publish-deps.ts";

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

const WorkflowRun = z.object({
  id: z.int(),
  name: z.string().nullish(),
  status: z.string().nullish(),
  conclusion: z.string().nullish(),
});
const Runs = z
  .object({ workflow_runs: z.array(WorkflowRun) })
  .transform(({ workflow_runs: runs }) => runs);
const Suite = z.object({
  app: z.object({ slug: z.string().nullish(), name: z.string() }).nullish(),
  latest_check_runs_count: z.int().default(0),
});
const Suites = z
  .object({ check_suites: z.array(Suite) })
  .transform(({ check_suites: suites }) => suites);
const Workflow = z.object({ path: z.string(), name: z.string(), state: z.string() });
const Workflows = z
  .object({ workflows: z.array(Workflow) })
  .transform(({ workflows }) => workflows);

type CiDeps = Pick<PublishDeps, "github" | "clock" | "viewer">;

/** Watches for up to half a minute whether a push starts any checks; otherwise names the setting that prevents it. */
export async function checkCiStart(deps: CiDeps, pushed: PushedHead): Promise<CiStart> {
  const [first = 0, ...later] = pausesMs;
  const early = await watch(deps, pushed, [first]);
  if (early) return early;
  const workflows = await list(deps, Workflows, {
    route: "GET /repos/{owner}/{repo}/actions/workflows",
  });
  const others = workflows.filter(({ path }) => !isOwn(path, pushed));
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

const isOwn = (path: string, { ownWorkflow }: PushedHead) =>
  ownWorkflow !== undefined && path === `.github/workflows/${ownWorkflow}`;

async function readCiStart(
  deps: CiDeps,
  { head, ownRunId }: PushedHead,
): Promise<CiStart | undefined> {
  const all = await list(deps, Runs, {
    route: "GET /repos/{owner}/{repo}/actions/runs",
    parameters: { head_sha: head },
  });
  const runs = all.filter(({ id }) => String(id) !== ownRunId);
  const waiting = runs.filter(isWaiting);
  const started = runs.filter((run) => !isWaiting(run));
  if (started.length > 0) return { kind: "started", names: namesOf(started) };
  const suites = await list(deps, Suites, {
    route: "GET /repos/{owner}/{repo}/commits/{ref}/check-suites",
    parameters: { ref: head },
  });
  // Every installed App gets a suite for every push, also this App and Actions.
  const services = suites.filter(
    ({ app, latest_check_runs_count: count }) => count > 0 && !isActions(app?.slug),
  );
  const apps = services.flatMap(({ app }) => (app ? [app] : []));
  if (apps.length > 0) return { kind: "started", names: namesOf(apps) };
  if (waiting.length === 0) return undefined;
  return { kind: "waiting", names: namesOf(waiting), remedy: approve };
}

const isWaiting = ({ status, conclusion }: z.infer<typeof WorkflowRun>) =>
  status === "action_required" || conclusion === "action_required";

const isActions = (slug: string | null | undefined) => slug === "github-actions";

const namesOf = (things: readonly { name?: string | null | undefined }[]) => [
  ...new Set(things.map(({ name }) => name ?? "a workflow")),
];

async function list<Item>(
  { github }: CiDeps,
  schema: z.ZodType<readonly Item[]>,
  request: Pick<ApiRequest, "route" | "parameters">,
): Promise<Item[]> {
  const purpose = {
    act: "check whether CI has started",
    permission: request.route.includes("/actions/") ? "actions: read" : "checks: read",
    reason: "pr",
  } as const;
  return listAll(github, { ...request, purpose }, schema);
}

const approve =
  "Approve them on the pull request. To avoid approvals, set the input `github-token` to the token of an App.";

function notStarted(
  workflows: readonly z.infer<typeof Workflow>[],
  pusher: { login: string },
): CiStart {
  if (workflows.length === 0) return { kind: "no-ci" };
  const disabled = workflows.filter(({ state }) => state !== "active");
  if (disabled.length === workflows.length) {
    const names = disabled.map(({ path }) => path).join(", ");
    return {
      kind: "not-started",
      remedy: `Enable a workflow on the Actions tab: ${names} ${disabled.length === 1 ? "is" : "are"} disabled.`,
    };
  }
  if (isJobToken(pusher)) {
    return {
      kind: "not-started",
      remedy:
        "Set the input `github-token` to the token of an App or a person: pushes and pull requests by the job's own token start no workflow. Until then, close the pull request and reopen it by hand.",
    };
  }
  return {
    kind: "not-started",
    remedy:
      "Add `pull_request:` to the `on:` of the workflow that checks pull requests, and make sure its `branches:` and `paths:` include this one.",
  };
}
