import { RalphError } from "../../error.ts";
import { openRepository } from "../../git/open/open-repository.ts";
import type { Repository } from "../../git/repository/repository.ts";
import { excludeSessionFiles, hideSessionDir } from "../../git/worktree/session-exclude.ts";
import { analysisPath } from "../../schema/autopilot/analysis.ts";
import { RelativePath } from "../../schema/base/fields.ts";
import type { Config } from "../../schema/config/config.ts";
import { checkAgents, checkBudget } from "../../session/open/check-agents.ts";
import { checkLaterKeys } from "../../session/open/later-keys.ts";
import { openSandbox } from "../../session/open/open-sandbox.ts";
import { readCommitConfig } from "../../session/open/start-config.ts";
import { sweepLeftovers } from "../../session/open/sweep-leftovers.ts";
import { configPathOf, readConfig } from "../../sources/config-file.ts";
import { applyOverrides, forUntrustedInput } from "../../sources/config-overrides.ts";
import { runsFolder } from "../reports/past-work.ts";
import { type AutopilotRun, openPaths, readLastAutopilotRun } from "./autopilot-run.ts";
import { readBase, requireClean, undoMove } from "./branch.ts";
import type { AutopilotDeps, AutopilotRequest } from "./run-request.ts";

/** The repository and the rules of a run, which come from the base commit. */
export interface Opened {
  repo: Repository;
  base: string;
  config: Config;
}

const pathOf = ({ system }: AutopilotDeps, { config }: AutopilotRequest) =>
  configPathOf(system.env, config || undefined).replace(/^\.\//, "");

/** Checks the configuration, the agent programs and the budget before anything is written or spent (exit 1). */
export async function checkProject(deps: AutopilotDeps, request: AutopilotRequest): Promise<void> {
  const { system, place } = deps;
  requireBelow(request.reports);
  const path = pathOf(deps, request);
  const read = await readConfig(system.files(place.root), path);
  checkLaterKeys(read, path);
  const config = applyOverrides(read.config, { env: system.env, flags: request.flags });
  await checkAgents(system, { config, root: place.root });
  checkBudget(config);
}

function requireBelow(reports: string | undefined): void {
  if (reports === undefined || RelativePath.safeParse(reports).success) return;
  throw new RalphError("config", {
    message: `${JSON.stringify(reports)} is not a folder of the project.`,
    remedy: "Name a folder below the project root, for example `--reports reports`.",
  });
}

/** Opens the repository with a clean work tree (exit 14). The caller holds the lock. */
export async function openBase(
  deps: AutopilotDeps,
  request: AutopilotRequest,
  run: AutopilotRun | undefined,
): Promise<Opened> {
  const { system, place, sessionDir } = deps;
  const { root, store } = place;
  await store.files.makeFolder("");
  const opened = await openRepository(system, { directory: root, stateDir: store.folder });
  const repo = await hideSessionDir(opened, sessionDir);
  await excludeSessionFiles(repo);
  await hideRecords(repo);
  const own = run ? openPaths(run) : [];
  await sweepLeftovers(system, { repo, store, sessionDir, documents: [...own, analysisPath] });
  const last = run ?? (await readLastAutopilotRun(store));
  if (last && !last.completed) await undoMove(repo, last);
  await requireClean(repo, own);
  const path = pathOf(deps, request);
  const checked = await readConfig(system.files(root), path);
  const overrides = { env: system.env, flags: request.flags };
  const { git } = applyOverrides(checked.config, overrides);
  const base = run?.base ?? (await readBase(repo, git));
  const config = await readCommitConfig(repo, { commit: base, path }, undefined);
  if (config) return { repo, base, config: applyOverrides(config, overrides) };
  throw new RalphError("git", {
    message: `${path} is not on the branch ${git.base_branch}, from which every run starts.`,
    remedy: `Commit it there: \`git add ${path}\`, then \`git commit\`.`,
  });
}

/** Hides run records from git: they are shown during a run, and only publishing commits them. */
async function hideRecords(repo: Repository): Promise<void> {
  const line = `/${repo.prefix.replaceAll(/[\\*?[]/g, "\\$&")}${runsFolder}/`;
  for (const folder of [repo.commonDir, repo.privateDir]) {
    const files = repo.system.files(folder);
    const text = (await files.read("info/exclude"))?.toString() ?? "";
    if (text.split("\n").includes(line)) continue;
    const start = text === "" || text.endsWith("\n") ? text : `${text}\n`;
    await files.write("info/exclude", `${start}${line}\n`);
  }
}

/** Requires the sandbox, with a network cage, for a run whose report a stranger may have written (exit 1). */
export async function requireSandbox(
  { system, place }: AutopilotDeps,
  opened: Opened,
  untrusted: boolean,
): Promise<Opened> {
  if (!untrusted) return opened;
  const { repo } = opened;
  const config = forUntrustedInput(opened.config);
  await openSandbox(system, { repo, config, store: place.store.folder });
  return { ...opened, config };
}
