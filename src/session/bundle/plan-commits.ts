import { RalphError, renderProblem } from "../../error.ts";
import { branchNameProblem, branchStart } from "../../git/commits/branch-name.ts";
import type { Repository } from "../../git/repository/repository.ts";
import { askGit } from "../../git/repository/run-git.ts";
import { commitLine } from "../../git/trees/history.ts";
import { missingObjects } from "../../git/trees/objects.ts";
import { type AutopilotPlan, planHead } from "../../schema/autopilot/plan.ts";
import type { Config } from "../../schema/config/config.ts";
import { type PlanStep, readRules, readStep, shapeProblems, stepProblems } from "./plan-rules.ts";

/** The document, and the task list. */
const maxOwn = 2;
/** A person's edits of the document between the two. */
const maxEdits = 50;

/** The commits before a session's first, checked by the rules of the base commit. */
export interface PlanCommits {
  /** Oldest first, from the first after the base to the one the session starts from. */
  commits: readonly string[];
  /** The paths they change. */
  paths: readonly string[];
}

type Checked = {
  plan: AutopilotPlan;
  /** The base commit's configuration. */
  config: Config;
  /** A branch the user named; otherwise the name begins as configured. */
  named?: string | undefined;
};

/**
 * Checks the commits an autopilot run made before its session: one line of at most two commits from the base commit,
 * which add only analysis, document, task list and archive, each with the content the plan states. Nothing else of the
 * bundle is trusted. The bundle's objects and the base commit, whose history the caller checked, are available.
 */
export async function checkPlan(repo: Repository, checked: Checked): Promise<PlanCommits> {
  const { plan, config } = checked;
  requireBranch(checked);
  const head = planHead(plan);
  if (head === undefined) return { commits: [], paths: [] };
  await requireObjects(repo, [plan.base, head]);
  const shape = shapeProblems(plan, config);
  if (shape.length > 0) throw refused(shape);
  const commits = await commitLine(repo, { from: plan.base, to: head, max: maxOwn + maxEdits });
  if (!commits) throw refused([`is not one line of commits from ${plan.base.slice(0, 12)}`]);
  const steps = await Promise.all(commits.map((commit) => readStep(repo, commit)));
  const edits = await knownEdits(repo, { steps, plan, config });
  const own = steps.length - edits.length;
  const rules = await readRules(repo, { plan, config });
  const problems = [
    ...(own > maxOwn ? [`has ${own} commits; the document and the task list are two`] : []),
    ...stepProblems(steps, { rules, hasEdits: edits.length > 0 }),
  ];
  if (problems.length > 0) throw refused(problems);
  const paths = new Set(steps.flatMap(({ changes }) => changes.map(({ path }) => path)));
  return { commits, paths: [...paths] };
}

function requireBranch({ plan, config, named }: Checked): void {
  const { branch = "" } = plan;
  const start = branchStart(config.autopilot);
  const isNamed = branch === named || branch.startsWith(start);
  const problem = branchNameProblem(branch);
  if (problem === undefined && isNamed && branch !== config.git.base_branch) return;
  throw new RalphError("git", {
    message: `The autopilot run worked on the branch ${JSON.stringify(branch)}, but its name must begin with ${start}.`,
    remedy: "If it is the branch you want, name it with the input `branch`.",
  });
}

/** Ids from a bundle are checked: a malformed one could be an option to git (T42). */
async function requireObjects(repo: Repository, ids: readonly string[]): Promise<void> {
  const missing = await missingObjects(repo, ids);
  if (missing.length > 0) throw refused([`has no commit ${missing.join(", ")}`]);
}

type Line = { steps: readonly PlanStep[]; plan: AutopilotPlan; config: Config };

/** A person's commits that change only the document, and that this checkout has on the run's branch. */
async function knownEdits(repo: Repository, { steps, plan, config }: Line) {
  const edits: PlanStep[] = [];
  for (const step of steps) {
    const [change, ...others] = step.changes;
    const isEdit = others.length === 0 && change && change.path === plan.document?.path;
    if (isEdit && (await isKnown(repo, step.commit, { plan, config }))) edits.push(step);
  }
  return edits;
}

async function isKnown(
  repo: Repository,
  commit: string,
  { plan: { branch = "" }, config }: Pick<Line, "plan" | "config">,
): Promise<boolean> {
  for (const ref of [`refs/heads/${branch}`, `refs/remotes/${config.git.remote}/${branch}`]) {
    const args = ["merge-base", "--is-ancestor", commit, ref];
    if ((await askGit(repo, args)).exitCode === 0) return true;
  }
  return false;
}

function refused(found: readonly string[]): RalphError {
  const problems = found.map((message) => ({ file: "the plan of the run", message }));
  return new RalphError("firewall", {
    message: `The commits the autopilot run made before its session must not be published:\n${problems.slice(0, 50).map(renderProblem).join("\n")}`,
    remedy:
      "Look at those commits. Move a person's changes to the base branch, or after the session; then run again.",
    problems,
  });
}
