import { cpSync, existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { createFakeGitHub, type FakeGitHub } from "../github/fake-github.ts";
import type { FakeState } from "../github/fake-state.ts";
import { type GitHubServer, type Reply, type Seen, startGitHubServer } from "../github/server.ts";
import { renderZip } from "../github/zip.ts";
import { createProject, type Project, type ProjectOptions } from "../project/project.ts";
import type { RunnerOptions, WorkflowResult } from "../runner/model.ts";
import { type RunningWorkflow, startWorkflow } from "../runner/run-workflow.ts";

/** This repository: the action as it is published, with its build. */
const home = new URL("../../../", import.meta.url).pathname.replace(/\/$/, "");
export const token = "ghs_0123456789abcdefghijklmnopqrstuvwxyz";
const name = "octo/example";

/** A project, the same as a repository on GitHub, and a GitHub that keeps the artifacts of its workflow runs. */
export interface ActionProject extends AsyncDisposable {
  readonly project: Project;
  readonly server: GitHubServer;
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

export async function createActionProject(options: ProjectOptions = {}): Promise<ActionProject> {
  const project = await createProject(options);
  const root = join(project.folder, "github");
  const kept = join(project.folder, "kept");
  project.gitIn(project.folder, "clone", "-q", "--bare", project.root, join(root, `${name}.git`));
  const dispatched: Seen[] = [];
  const fake = createFakeGitHub({ repository: name, bare: join(root, `${name}.git`) });
  const issues: FakeIssue[] = [];
  const shelf: Shelf = { kept, dispatched, fake, issues, url: () => server.url };
  const server = await startGitHubServer((seen) => answer(seen, shelf), { root, token });
  const start = (workflow: string, { runId = "1001", ...more }: Started = {}) =>
    startWorkflow(workflow, {
      repository: project.root,
      ...more,
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
  const keep = (runId: string, artifacts: string) => {
    if (existsSync(artifacts)) cpSync(artifacts, join(kept, runId), { recursive: true });
  };
  return {
    project,
    server,
    dispatched,
    state: fake.state,
    issues,
    start,
    keep,
    remoteGit: (...args) => project.gitIn(join(root, `${name}.git`), ...args),
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

type Shelf = {
  kept: string;
  dispatched: Seen[];
  fake: FakeGitHub;
  issues: readonly FakeIssue[];
  url: () => string;
};

/** Artifacts, numbered RUN followed by their place; workflows that are started; the rest is the fake's. */
function answer(seen: Seen, shelf: Shelf): Reply {
  const { kept, dispatched, fake, issues, url } = shelf;
  const [, run] = /\/actions\/runs\/(\d+)\/artifacts/.exec(seen.path) ?? [];
  if (run !== undefined) {
    const artifacts = namesIn(join(kept, run)).map((artifact, index) => ({
      id: Number(`${run}0${index}`),
      name: artifact,
      size_in_bytes: 1000,
      expired: false,
    }));
    return { body: { total_count: artifacts.length, artifacts } };
  }
  const [, id] = /\/actions\/artifacts\/(\d+)\/zip/.exec(seen.path) ?? [];
  if (id !== undefined) return { status: 302, headers: { location: `${url()}/storage/${id}` } };
  const [, of, index] = /\/storage\/(\d+)0(\d)$/.exec(seen.path) ?? [];
  if (of !== undefined) return { body: zipOf(kept, of, Number(index)) };
  if (seen.path.endsWith("/dispatches")) {
    dispatched.push(seen);
    return { status: 204 };
  }
  const [, issue] = /\/issues\/(\d+)$/.exec(seen.path) ?? [];
  const asked = issues.find(({ number }) => number === Number(issue));
  if (asked) return { body: asked };
  startCi(seen, fake);
  return fake.answer(seen);
}

/** The repository's own workflow begins with whatever is pushed, so that nobody waits for it. */
function startCi({ path }: Seen, { state }: FakeGitHub): void {
  const [, head_sha] = /\/actions\/runs\?.*head_sha=([0-9a-f]+)/.exec(path) ?? [];
  if (head_sha === undefined) return;
  state.workflowRuns = [{ id: 1, name: "ci", head_sha, status: "queued", conclusion: null }];
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
