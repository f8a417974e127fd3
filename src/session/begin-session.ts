import { agentVersion } from "../agents/call/agent-version.ts";
import { calledAgents } from "../agents/call/called-agents.ts";
import { type FactOf, RunTask } from "../core/state/event.ts";
import { authorOf, commandsLeft, listOriginOf } from "../core/state/task-list-origin.ts";
import { serviceWarnings } from "../core/verify/plan-services.ts";
import { RalphError } from "../error.ts";
import type { StartPoint } from "../git/commits/start-point.ts";
import { openRepository } from "../git/open/open-repository.ts";
import type { Repository } from "../git/repository/repository.ts";
import { readFiles } from "../git/trees/objects.ts";
import { excludeSessionFiles, hideSessionDir } from "../git/worktree/session-exclude.ts";
import { startJournal, stateAtStart } from "../journal/journal.ts";
import { unfinishedSession } from "../journal/session-store.ts";
import type { System } from "../platform/system.ts";
import type { Config } from "../schema/config/config.ts";
import type { Prd } from "../schema/tasks/prd.ts";
import { applyOverrides } from "../sources/config-overrides.ts";
import { isMarkdown } from "../sources/markdown-tasks.ts";
import { parseTaskFile } from "../sources/task-file.ts";
import { record, type SessionContext } from "./loop/session-context.ts";
import { steerSession } from "./loop/steer-session.ts";
import { assembleSession, type SessionOptions } from "./open/assemble-session.ts";
import type { Project } from "./open/open-project.ts";
import { openSandbox } from "./open/open-sandbox.ts";
import { prepareBranch } from "./open/prepare-branch.ts";
import { selectTasks } from "./open/select-tasks.ts";
import { parseCommitConfig } from "./open/start-config.ts";
import { sweepLeftovers } from "./open/sweep-leftovers.ts";
import { describeFlaky, readFlaky } from "./proof/flaky-ledger.ts";
import { sweepWorkers } from "./workers/salvage-work.ts";

/** Starts a session (design 4) from the rules and tasks of the start commit. The caller holds the lock. */
export async function beginSession(
  system: System,
  project: Project,
  options: SessionOptions & { sessionId: string },
): Promise<SessionContext> {
  const { store } = project;
  selectTasks(project.prd.tasks, options.selection);
  await store.files.makeFolder("");
  const unfinished = await unfinishedSession(store);
  const { sessionDir } = options;
  const opened = await openRepository(system, { directory: project.root, stateDir: store.folder });
  const repo = await hideSessionDir(opened, sessionDir);
  const documents = [project.taskPath, project.config.autopilot.memory.progress, "AGENTS.md"];
  await sweepLeftovers(system, { repo, store, sessionDir, documents });
  await sweepWorkers(system, { repo, store });
  const start = await prepareBranch(system, repo, { ...project, unfinished });
  const atStart = await readFromCommit(repo, project, { ...start, makeConfig: options.makeConfig });
  const config = applyOverrides(atStart.config, { env: system.env, flags: options.flags });
  await excludeSessionFiles(repo);
  const [sandbox, agents] = await Promise.all([
    openSandbox(system, { repo, config, store: store.folder }),
    agentVersions(system, { config, root: project.root }),
  ]);
  const files = store.session(options.sessionId);
  const versions = { ...options.versions, ...agents };
  const { prd } = atStart;
  const first = firstFact({ project, start, prd, options, versions, sandbox: sandbox.kind });
  await options.beforeStart?.(config, stateAtStart(system, first));
  const journal = await startJournal({ files, clock: system.clock }, first);
  const session = await assembleSession({ system, repo, config, store, journal, sandbox, options });
  const remarks = [
    sandbox.warning,
    commandsLeft(journal.state),
    ...serviceWarnings(journal.state, config.services, session.policy),
    session.hasSubmodules ? submodulesLeft : undefined,
    describeFlaky(await readFlaky(store.files, { now: system.clock.now() })),
    unfinished && leftBehind(unfinished),
  ];
  const warnings = remarks.filter((remark) => remark !== undefined);
  for (const message of [...project.warnings, ...warnings])
    await record(session, { type: "warning", message });
  await steerSession(session, options.steering ?? {});
  return session;
}

const submodulesLeft =
  "The repository has submodules, which checkouts lack: gates run in the work tree, and the proof of the work only compares how many tests they run.";

const leftBehind = (id: string) =>
  `Session ${id} stopped before it was done. This is a new session; to continue that one instead, stop with Ctrl-C and run \`ralph run --resume\`. Its work is kept: \`ralph status --session ${id}\`.`;

/** From now on only the start commit decides which commands run and which paths are protected. */
async function readFromCommit(
  repo: Repository,
  project: Project,
  { commit, makeConfig }: StartPoint & Pick<SessionOptions, "makeConfig">,
) {
  const { configPath: path, taskPath } = project;
  const [bytes, tasks] = await readFiles(repo, { treeish: commit, paths: [path, taskPath] });
  const config = await parseCommitConfig(repo, { commit, path, bytes }, makeConfig);
  if (config && tasks) return { config, prd: parseTaskFile(tasks, taskPath).prd };
  const missing = config ? project.taskPath : project.configPath;
  throw new RalphError("git", {
    message: `${missing} is not in the current commit; git may ignore it.`,
    remedy: `Remove it from .gitignore, then \`git add ${missing}\` and commit.`,
  });
}

type First = {
  project: Project;
  start: StartPoint;
  prd: Prd;
  options: SessionOptions & { sessionId: string };
  versions: Record<string, string>;
  sandbox: "bubblewrap" | "off";
};

function firstFact(given: First): FactOf<"session_start"> {
  const { project, start, prd, options, versions, sandbox } = given;
  const tasks = prd.tasks.map((task) => RunTask.parse(task));
  return {
    type: "session_start",
    format: 1,
    session_id: options.sessionId,
    source: {
      type: isMarkdown(project.taskPath) ? "cr_markdown" : "prd_json",
      path: project.taskPath,
    },
    project: prd.project,
    description: prd.description,
    config_path: project.configPath,
    branch: start.branch,
    start: { commit: start.commit, tree: start.tree },
    tasks,
    ...authorOf(prd),
    ...listOriginOf(prd),
    selected: selectTasks(tasks, options.selection),
    sandbox,
    versions,
    ...(options.planning && { planning: options.planning }),
  };
}

/** The versions of the called agent programs (design 9.1). A program named by a variable may take the question for a call. */
export async function agentVersions(
  system: Pick<System, "supervise" | "env">,
  { config, root }: { config: Config; root: string },
): Promise<Record<string, string>> {
  const isStandIn = (variable: string | undefined) => variable && system.env[variable];
  const called = calledAgents(config, system.env).filter(
    ({ driver }) => !isStandIn(driver.programVariable),
  );
  const asked = called.map(async (agent) => {
    const version = await agentVersion(system, agent, root);
    return version === undefined ? [] : [[agent.driver.name, version] as const];
  });
  return Object.fromEntries((await Promise.all(asked)).flat());
}
