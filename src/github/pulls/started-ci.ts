import * as z from "zod";
import type { ApiRequest } from "../api/create-github.ts";
import { listAll } from "../api/list-pages.ts";
import { isJobToken } from "../api/viewer.ts";
import type { PublishDeps } from "../publication/publish-deps.ts";

/** Whether anything checks a pushed commit, and if not, what has to be set so that something does. */
export type CiStart =
  | { kind: "started"; names: readonly string[] }
  /** Runs exist, but wait for somebody to approve them. */
  | { kind: "waiting"; names: readonly string[]; remedy: string }
  /** The repository has no workflow beside our own, and no other service answered. */
  | { kind: "no-ci" }
  | { kind: "not-started"; remedy: string };

export interface PushedHead {
  head: string;
  /** Whose push or pull request should start it, where that is not the deps' viewer. */
  pusher?: { login: string };
  /** The workflow run we are part of: it proves nothing. */
  ownRunId?: string | undefined;
  /** File of the workflow we are part of, such as `ralph.yml`. */
  ownWorkflow?: string | undefined;
}

/** Pauses before each look, half a minute in all. */
const looksMs = [2000, 4000, 8000, 16_000] as const;

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

/** Looks for half a minute at most whether a push has started anybody's checks; else tells which setting is in the way. */
export async function checkCiStart(deps: CiDeps, pushed: PushedHead): Promise<CiStart> {
  const [first = 0, ...later] = looksMs;
  const atOnce = await lookAfter(deps, pushed, [first]);
  if (atOnce) return atOnce;
  const workflows = await list(deps, Workflows, {
    route: "GET /repos/{owner}/{repo}/actions/workflows",
  });
  const others = workflows.filter(({ path }) => !isOwn(path, pushed));
  // Without a workflow only another service could answer, and those are quick.
  const pauses = others.length === 0 ? later.slice(0, 1) : later;
  const seen = await lookAfter(deps, pushed, pauses);
  return seen ?? whyNot(others, pushed.pusher ?? deps.viewer);
}

async function lookAfter(
  deps: CiDeps,
  pushed: PushedHead,
  pausesMs: readonly number[],
): Promise<CiStart | undefined> {
  for (const pauseMs of pausesMs) {
    await deps.clock.sleep(pauseMs);
    const seen = await look(deps, pushed);
    if (seen) return seen;
  }
  return undefined;
}

const isOwn = (path: string, { ownWorkflow }: PushedHead) =>
  ownWorkflow !== undefined && path === `.github/workflows/${ownWorkflow}`;

async function look(deps: CiDeps, { head, ownRunId }: PushedHead): Promise<CiStart | undefined> {
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
  // Every installed App gets a suite for every push; ours and those of workflows are among them.
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
    act: "say whether CI has started",
    permission: request.route.includes("/actions/") ? "actions: read" : "checks: read",
    reason: "pr",
  } as const;
  return listAll(github, { ...request, purpose }, schema);
}

const approve =
  "Approve them on the pull request. To need no approval, give the token of an App by the input `github-token`.";

function whyNot(
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
        "Give the token of an App, or a personal one, by the input `github-token`: what a job's own token pushes or opens starts no workflow. Until then, close the pull request and reopen it by hand.",
    };
  }
  return {
    kind: "not-started",
    remedy:
      "Add `pull_request:` to the `on:` of the workflow that checks pull requests, and see that its `branches:` and `paths:` let this one through.",
  };
}
