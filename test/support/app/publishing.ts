import { cpSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Settings } from "../../../app/settings/settings.ts";
import { type RunningApp, startApp } from "../../../app/start-app.ts";
import { proofFile } from "../../../src/github/artifacts/handed-proof.ts";
import { readJournal } from "../../../src/journal/audit.ts";
import { createSystem } from "../../../src/platform/create-system.ts";
import { createFiles } from "../../../src/platform/fs/files.ts";
import type { System } from "../../../src/platform/system.ts";
import { type AutopilotProject, createAutopilotProject } from "../autopilot/project.ts";
import { planFolders } from "../autopilot/travelling-run.ts";
import type { Reply, Seen } from "../github/server.ts";
import { renderZip } from "../github/zip.ts";
import { sessionFolders } from "../project/project.ts";
import { listDead } from "./dead-jobs.ts";
import { deliver } from "./deliveries.ts";
import { type AppGitHub, self, startAppGitHub } from "./github.ts";
import { settingsFor } from "./settings.ts";

/** A session an autopilot has made, to be published by the App again and again, each time on a GitHub of its own. */
export interface MadeSession extends AsyncDisposable {
  project: AutopilotProject;
  /** Of its artifact. */
  zip: Buffer;
  /** What the clean room leaves: the artifact with its proof. */
  proof: Buffer;
}

type ProjectOptions = Parameters<typeof createAutopilotProject>[0];

/** Works on a report with the scripted agent, and publishes nothing. */
export async function makeSession(
  options: ProjectOptions = {},
  ...args: string[]
): Promise<MadeSession> {
  const project = await createAutopilotProject({
    ...options,
    autopilot: { enabled: true, tasks: { min_count: 2, max_count: 2 }, ...options?.autopilot },
  });
  const base = join(project.folder, "base/octo/example.git");
  project.gitIn(project.folder, "clone", "-q", "--bare", project.root, base);
  const { stderr } = await project.ralph("autopilot", ...args);
  // Makes the folder whole, as a job does before it keeps it.
  await project.ralph("publish", "--dry-run");
  const session = sessionFolders(project.stateDir).at(-1) ?? planFolders(project).at(-1);
  if (session === undefined) throw new Error(`There is no session: ${stderr}`);
  return {
    project,
    zip: zipFolder(session),
    proof: renderZip([{ name: proofFile, content: await proofOf(session) }]),
    [Symbol.asyncDispose]: () => project[Symbol.asyncDispose](),
  };
}

/** All files of a folder, as an artifact has them. */
export function zipFolder(folder: string): Buffer {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  const paths = entries.filter((entry) => entry.isFile());
  return renderZip(
    paths.map(({ parentPath, name }) => ({
      name: join(parentPath, name).slice(folder.length + 1),
      content: readFileSync(join(parentPath, name)),
    })),
  );
}

async function proofOf(session: string): Promise<string> {
  const { state, digest = "" } = await readJournal(createFiles(session));
  const gates = [{ name: "check", status: "passed", ok: true }];
  const proof = { kind: "proved", head: state?.head ?? "", journal: digest, gates };
  return JSON.stringify({ ...proof, criteria: [], problems: [] });
}

type Facts = Record<string, unknown>;
type Job = { name: string; conclusion: string };
type Artifact = { name: string; zip: Buffer };

/** GitHub with the App on it, and somebody who plays the workflows. */
export interface PublishingApp extends AsyncDisposable {
  github: AppGitHub;
  /** Git in the repository on GitHub. */
  remoteGit: (...args: string[]) => string;
  /** Sends an event of the repository. */
  send: (event: string, payload: Facts) => Promise<void>;
  /** A label of somebody who may write. */
  label: () => Promise<void>;
  /** Plays a workflow run: what GitHub says of it, its jobs and artifacts; the delivery follows. */
  play: (run: PlayedRun) => Promise<void>;
  /** What the ref of a work item says. */
  claim: (item: string) => { holder: string; state: string; expires_at: string };
  /** Moves a claim on, as the first job of a workflow does. */
  hold: (item: string, holder: string, state?: string) => void;
  stop: () => Promise<void>;
  start: () => Promise<void>;
  /** Lets time go by for the App. */
  pass: (ms: number) => void;
  /** Jobs nobody could do. */
  dead: () => Promise<readonly { kind: string; error: string | null }[]>;
  /** Notes of runs. */
  runs: () => Promise<Facts[]>;
}

export interface PlayedRun {
  run: number;
  attempt?: number;
  action?: "requested" | "in_progress" | "completed";
  conclusion?: string;
  /** Differences from what GitHub says of a run of ours. */
  facts?: Facts;
  jobs?: readonly Job[];
  artifacts?: readonly Artifact[];
}

export const workflowPath = ".github/workflows/ralph.yml";
export const greenJobs = ["Claim", "Work", "Prove again"].map((name) => ({
  name: `ralph / ${name}`,
  conclusion: "success",
}));
const repository = { id: 7, full_name: "octo/example", default_branch: "main" };
const ada = { login: "ada", id: 5, type: "User" };

let count = 0;

/** Starts the App beside a copy of the repository as it was before the session. */
export async function startPublishing(
  { project }: MadeSession,
  more: Partial<Settings> = {},
): Promise<PublishingApp> {
  const home = join(project.folder, `app-${count++}`);
  const root = join(home, "github");
  const bare = join(root, "octo/example.git");
  cpSync(join(project.folder, "base"), root, { recursive: true });
  const github = await startAppGitHub({ bare });
  const { fake, server } = github;
  github.files.set(".ralph/ralph.yml", project.read(".ralph/ralph.yml"));
  fake.state.permissions.ada = { permission: "write", role_name: "write", user: ada };
  const shelf = new Map<number, PlayedRun>();
  github.more = (asked, seen) => playedAnswer(shelf, { asked, seen, url: server.url });
  const remoteGit = (...args: string[]) => project.gitIn(bare, ...args);
  const settings = { ...settingsFor(github, `${home}/data`), ...more };
  const time = { aheadMs: 0 };
  let app: RunningApp | undefined;
  const stop = async () => {
    await app?.[Symbol.asyncDispose]();
    app = undefined;
  };
  const start = async () => {
    app = await startApp(impatient(time), settings, () => undefined);
  };
  await start();
  const send = async (event: string, payload: Facts) => {
    const body = JSON.stringify({ installation: { id: 3 }, repository, sender: ada, ...payload });
    const { status } = await deliver(`${app?.url}/api/github/webhooks`, { event, body });
    if (status !== 202) throw new Error(`The App answered ${status} to ${event}.`);
  };
  const label = () => {
    const issue = { number: 12, state: "open", updated_at: `2026-01-20T10:00:${10 + count}Z` };
    return send("issues", { action: "labeled", issue, label: { name: "ralph" } });
  };
  const play = async (played: PlayedRun) => {
    const { run, attempt = 1, action = "completed", conclusion = "success" } = played;
    const title = `ralph-run:${github.dispatches[0]?.inputs["run-id"]}`;
    const status = action === "completed" ? "completed" : "in_progress";
    const facts = {
      ...{ id: run, run_attempt: attempt, path: `${workflowPath}@main`, status },
      ...{ event: "workflow_dispatch", head_branch: "main", display_title: title },
      ...{ conclusion: action === "completed" ? conclusion : null, actor: self },
      ...{
        triggering_actor: self,
        html_url: `https://github.com/octo/example/actions/runs/${run}`,
      },
      ...played.facts,
    };
    github.runs.set(run, facts);
    shelf.set(run, played);
    await send("workflow_run", {
      action,
      workflow_run: { ...facts, path: workflowPath, head_branch: "main" },
    });
  };
  const claim = (item: string) => {
    const text = remoteGit("log", "-1", "--format=%B", `refs/ralph/claims/${item}`);
    return JSON.parse(text.split("\n").at(-1) ?? "");
  };
  const hold = (item: string, holder: string, state = "held") => {
    const ref = `refs/ralph/claims/${item}`;
    const note = JSON.stringify({ ...claim(item), holder, state });
    const words = ["-p", ref, "-m", `ralph: ${holder}\n\n${note}`, `${ref}^{tree}`];
    remoteGit("update-ref", ref, remoteGit("commit-tree", ...words));
  };
  const opened = async <Result>(
    act: (store: Awaited<ReturnType<typeof openFor>>) => Promise<Result>,
  ) => {
    await using store = await openFor(settings);
    return await act(store);
  };
  return {
    ...{ github, remoteGit, send, label, play, claim, hold, stop, start },
    pass: (ms) => {
      time.aheadMs += ms;
    },
    dead: () => opened(({ queue }) => listDead(queue, "work:7", "push:7", "deliveries:7")),
    runs: () =>
      opened(async ({ notes }) =>
        (await notes.list({ kind: "run", limit: 100 })).map(({ data }) => data as Facts),
      ),
    async [Symbol.asyncDispose]() {
      await stop();
      await github[Symbol.asyncDispose]();
    },
  };
}

/** Nobody has to wait long for what only sleeps; pauses before another attempt are over at once. */
function impatient(time: { aheadMs: number }): System {
  const system = createSystem();
  const { clock } = system;
  const skip = () => {
    time.aheadMs += 30;
    return time.aheadMs;
  };
  return {
    ...system,
    clock: {
      ...clock,
      now: () => clock.now() + skip(),
      sleep: (ms, signal) => clock.sleep(Math.min(ms, 50), signal),
    },
  };
}

/** A second look into what the App keeps. */
async function openFor({ dataFolder }: Settings) {
  const { openSqliteStore } = await import("../../../app/store/sqlite-store.ts");
  return openSqliteStore(createSystem(), `${dataFolder}/ralph.sqlite`);
}

type Asking = { asked: string; seen: Seen; url: string };

/** Jobs and artifacts of the runs that are played; an artifact's id is its run's, followed by its place. */
function playedAnswer(shelf: Map<number, PlayedRun>, { asked, url }: Asking): Reply | undefined {
  const [, jobsOf] = /\/actions\/runs\/(\d+)\/attempts\/\d+\/jobs$/.exec(asked) ?? [];
  if (jobsOf) {
    const jobs = shelf.get(Number(jobsOf))?.jobs ?? greenJobs;
    return { body: { total_count: jobs.length, jobs } };
  }
  const [, run] = /\/actions\/runs\/(\d+)\/artifacts$/.exec(asked) ?? [];
  if (run) {
    const artifacts = (shelf.get(Number(run))?.artifacts ?? []).map(({ name, zip }, index) => ({
      ...{ id: Number(run) * 10 + index, name, size_in_bytes: zip.length, expired: false },
    }));
    return { body: { total_count: artifacts.length, artifacts } };
  }
  // The repository's own checks begin with whatever is pushed, so that nobody waits for them.
  if (asked.endsWith("/actions/runs")) {
    const ci = { id: 1, name: "ci", status: "queued", conclusion: null };
    return { body: { total_count: 1, workflow_runs: [ci] } };
  }
  const [, stored = ""] = /^GET \/storage\/(\d+)$/.exec(asked) ?? [];
  const artifact = shelf.get(Number(stored.slice(0, -1)))?.artifacts?.[Number(stored.slice(-1))];
  if (artifact) return { body: artifact.zip };
  const [, id] = /\/actions\/artifacts\/(\d+)\/zip$/.exec(asked) ?? [];
  return id ? { status: 302, headers: { location: `${url}/storage/${id}` } } : undefined;
}
