import { chmodSync, cpSync, existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createFakeGitHub, type FakeGitHub } from "../github/fake-github.ts";
import { refused } from "../github/fake-routes.ts";
import type { FakeState } from "../github/fake-state.ts";
import { type GitHubServer, type Reply, type Seen, startGitHubServer } from "../github/server.ts";
import { renderZip } from "../github/zip.ts";
import { createProject, type Project, type ProjectOptions } from "../project/project.ts";
import type { RunnerOptions, WorkflowResult } from "../runner/model.ts";
import { type RunningWorkflow, startWorkflow } from "../runner/run-workflow.ts";
import { answerDispatch } from "./dispatch.ts";
import { createTokens, type Grant, mayDo, neededFor, type Tokens, token } from "./tokens.ts";

export { token };

/** This repository: the action as it is published, with its build. */
const home = new URL("../../../", import.meta.url).pathname.replace(/\/$/, "");
const name = "octo/example";
const clock = new URL("clock.mjs", import.meta.url).href;

/** What a repository's settings allow; as GitHub sets them for a new repository. */
export interface RepositorySettings {
  /** "Allow GitHub Actions to create and approve pull requests". */
  mayActionsOpenPulls: boolean;
}

/** A project, the same as a repository on GitHub, and a GitHub that keeps the artifacts of its workflow runs. */
export interface ActionProject extends AsyncDisposable {
  readonly project: Project;
  readonly server: GitHubServer;
  readonly settings: RepositorySettings;
  /** Git in the repository on GitHub. */
  remoteGit: (...args: string[]) => string;
  /** Workflows that were started through the API. */
  readonly dispatched: readonly Seen[];
  /** Pull requests, comments and check runs there are. */
  readonly state: FakeState;
  /** Issues that can be read. */
  readonly issues: FakeIssue[];
  start: (workflow: string, options?: Started) => Promise<RunningWorkflow>;
  /** Runs a workflow to its end and keeps its artifacts for later runs. */
  run: (workflow: string, options?: Started) => Promise<WorkflowResult & AsyncDisposable>;
  /** Keeps the artifacts of a run that was started by `start`. */
  keep: (runId: string, artifacts: string) => void;
}

const workflowOf = (file: string) => {
  const path = `.github/workflows/${file}.yml`;
  return [`org/ralph-action/${path}`, `${home}/${path}`] as const;
};

export type Started = Partial<RunnerOptions> & { runId?: string };

/** As the API gives an issue. */
export interface FakeIssue {
  number: number;
  title: string;
  body: string;
  html_url: string;
  user: { login: string };
}

export async function createActionProject(
  options: ProjectOptions & Partial<RepositorySettings> = {},
): Promise<ActionProject> {
  const project = await createProject(options);
  const root = join(project.folder, "github");
  const bare = join(root, `${name}.git`);
  project.gitIn(project.folder, "clone", "-q", "--bare", project.root, bare);
  keepWorkflowRule(bare);
  const remoteGit = (...args: string[]) => project.gitIn(bare, ...args);
  const { mayActionsOpenPulls = false } = options;
  const shelf: Shelf = {
    kept: join(project.folder, "kept"),
    dispatched: [],
    fake: createFakeGitHub({ repository: name, bare }),
    issues: [],
    runs: [],
    settings: { mayActionsOpenPulls },
    tokens: createTokens(),
    url: () => server.url,
    readWorkflow: (file, ref) =>
      showFile(remoteGit, `${ref}:.github/workflows/${file}`) ?? shelf.lastWorkflow,
    lastWorkflow: undefined,
  };
  const { tokens } = shelf;
  const server = await startGitHubServer((seen) => answer(seen, shelf), {
    root,
    userOf: (authorization, service) => {
      const grant = tokens.grantOf(authorization);
      if (grant === undefined) return undefined;
      const isAllowed = mayDo(
        grant,
        `contents: ${service === "git-receive-pack" ? "write" : "read"}`,
      );
      return isAllowed ? grant.kind : "";
    },
  });
  const start = (workflow: string, { runId = "1001", ...more }: Started = {}) => {
    shelf.lastWorkflow = workflow.includes("\n") ? workflow : readFileSync(workflow, "utf8");
    shelf.runs.push({ id: runId, event: String(more.github?.event_name ?? "workflow_dispatch") });
    return startWorkflow(workflow, {
      repository: bare,
      issueToken: tokens.issue,
      ...more,
      env: { NODE_OPTIONS: `--import ${clock}`, ...more.env },
      uses: {
        "org/ralph-action": home,
        ...Object.fromEntries(["ralph", "autopilot"].map(workflowOf)),
        ...more.uses,
      },
      github: {
        repository: name,
        run_id: runId,
        server_url: server.url,
        api_url: server.apiUrl,
        token,
        workflow_ref: `${name}/.github/workflows/ralph.yml@refs/heads/main`,
        ...more.github,
      },
    });
  };
  const keep = (runId: string, artifacts: string) => {
    if (existsSync(artifacts)) cpSync(artifacts, join(shelf.kept, runId), { recursive: true });
  };
  return {
    project,
    server,
    settings: shelf.settings,
    dispatched: shelf.dispatched,
    state: shelf.fake.state,
    issues: shelf.issues,
    start,
    keep,
    remoteGit,
    run: async (workflow, given = {}) => {
      const running = await start(workflow, given);
      const result = await running.result;
      keep(given.runId ?? "1001", result.artifacts);
      return { ...result, [Symbol.asyncDispose]: () => running[Symbol.asyncDispose]() };
    },
    async [Symbol.asyncDispose]() {
      await server[Symbol.asyncDispose]();
      await project[Symbol.asyncDispose]();
    },
  };
}

interface Shelf {
  kept: string;
  dispatched: Seen[];
  fake: FakeGitHub;
  issues: FakeIssue[];
  /** Workflow runs, oldest first. */
  runs: { id: string; event: string }[];
  settings: RepositorySettings;
  tokens: Tokens;
  url: () => string;
  /** A workflow file at a ref; without one there, the text that was run last. */
  readWorkflow: (file: string, ref: string) => string | undefined;
  lastWorkflow: string | undefined;
}

/**
 * GitHub's rule for workflow files: a job's token pushes no branch whose workflows differ from what the branch had before, or,
 * for a new branch, from those of the default branch.
 */
function keepWorkflowRule(bare: string): void {
  const hook = join(bare, "hooks/pre-receive");
  writeFileSync(
    hook,
    `#!/bin/sh
[ "$REMOTE_USER" = job ] || exit 0
while read -r old new ref; do
  case "$new" in *[!0]*) ;; *) continue ;; esac
  case "$old" in *[!0]*) ;; *) old=HEAD ;; esac
  changed=$(git diff --name-only "$old" "$new" -- .github/workflows | head -1)
  [ -z "$changed" ] && continue
  echo "refusing to allow a GitHub App to create or update workflow \\\`$changed\\\` without \\\`workflows\\\` permission" >&2
  exit 1
done
`,
  );
  chmodSync(hook, 0o755);
}

function showFile(git: ActionProject["remoteGit"], path: string): string | undefined {
  try {
    return git("show", path);
  } catch {
    return undefined;
  }
}

/** Refuses what the token may not do; then artifacts, runs and dispatches; the rest is the fake's. */
function answer(seen: Seen, shelf: Shelf): Reply {
  const stored = /\/storage\/(\d+)0(\d)$/.exec(seen.path);
  if (stored) return { body: zipOf(shelf.kept, stored[1] ?? "", Number(stored[2])) };
  const grant = shelf.tokens.grantOf(seen.authorization);
  if (grant === undefined) return refused(401, "Bad credentials");
  const needed = neededFor(seen.method, seen.path);
  if (needed && !needed.some((one) => mayDo(grant, one))) {
    return refused(403, "Resource not accessible by integration");
  }
  return answerActions(seen, shelf) ?? answerRepository(seen, shelf, grant);
}

function answerActions(seen: Seen, shelf: Shelf): Reply | undefined {
  const { kept, dispatched, url, readWorkflow, runs } = shelf;
  const [, run] = /\/actions\/runs\/(\d+)\/artifacts/.exec(seen.path) ?? [];
  if (run !== undefined) {
    const artifacts = artifactsOf(kept, run);
    return { body: { total_count: artifacts.length, artifacts } };
  }
  if (/\/actions\/workflows\/[^/]+\/runs/.test(seen.path)) {
    const list = runs.map(runOf).toReversed();
    return { body: { total_count: list.length, workflow_runs: list } };
  }
  const [, id] = /\/actions\/artifacts\/(\d+)\/zip/.exec(seen.path) ?? [];
  if (id !== undefined) return { status: 302, headers: { location: `${url()}/storage/${id}` } };
  if (!seen.path.endsWith("/dispatches")) return undefined;
  const reply = answerDispatch(seen, readWorkflow);
  if (reply.status === 204) dispatched.push(seen);
  return reply;
}

const runOf = ({ id, event }: { id: string; event: string }) => ({
  id: Number(id),
  name: "ralph",
  event,
  status: "completed",
  path: ".github/workflows/ralph.yml",
  head_repository: { full_name: name },
});

/** Numbered RUN, 0 and their place. */
const artifactsOf = (kept: string, run: string) =>
  namesIn(join(kept, run)).map((artifact, index) => ({
    id: Number(`${run}0${index}`),
    name: artifact,
    size_in_bytes: 1000,
    expired: false,
  }));

function answerRepository(seen: Seen, shelf: Shelf, grant: Grant): Reply {
  const { fake, issues, settings } = shelf;
  const [, issue] = /\/issues\/(\d+)$/.exec(seen.path) ?? [];
  const asked = issues.find(({ number }) => number === Number(issue));
  if (asked) return { body: asked };
  const isOpening = seen.method === "POST" && /\/pulls$/.test(seen.path);
  if (isOpening && grant.kind === "job" && !settings.mayActionsOpenPulls) {
    return refused(403, "GitHub Actions is not permitted to create or approve pull requests.");
  }
  startCi(seen, fake, grant);
  return fake.answer(seen, grant.account);
}

/** The repository's own workflow begins with whatever a person or an App pushes; what a job pushes waits for approval. */
function startCi({ path }: Seen, { state }: FakeGitHub, { kind }: Grant): void {
  const [, head_sha] = /\/actions\/runs\?.*head_sha=([0-9a-f]+)/.exec(path) ?? [];
  if (head_sha === undefined) return;
  const waits = { status: "completed", conclusion: "action_required" };
  const begins = { status: "queued", conclusion: null };
  state.workflowRuns = [{ id: 1, name: "ci", head_sha, ...(kind === "job" ? waits : begins) }];
}

const namesIn = (folder: string) => (existsSync(folder) ? readdirSync(folder).toSorted() : []);

function zipOf(kept: string, run: string, index: number): Buffer {
  const folder = join(kept, run, namesIn(join(kept, run))[index] ?? "");
  const paths = readdirSync(folder, { recursive: true, withFileTypes: true });
  return renderZip(
    paths
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name))
      .map((path) => ({ name: path.slice(folder.length + 1), content: readFileSync(path) })),
  );
}
