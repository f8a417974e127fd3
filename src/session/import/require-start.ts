import type { SessionState } from "../../core/state/session-state.ts";
import { RalphError } from "../../error.ts";
import { readPack } from "../../git/commits/bundle.ts";
import type { Repository } from "../../git/repository/repository.ts";
import { missingObjects } from "../../git/trees/objects.ts";
import type { Files } from "../../platform/system.ts";
import { type AutopilotPlan, planHead } from "../../schema/autopilot/plan.ts";
import { bundledPlanOf, packFile } from "../bundle/bundled-objects.ts";
import { checkPlan } from "../bundle/plan-commits.ts";
import { type MakeConfig, readCommitConfig } from "../open/start-config.ts";

type BundledSession = { state: SessionState; bundle: Files; makeConfig?: MakeConfig | undefined };

/**
 * Requires a session to begin at a commit of this clone: the author of a bundle could bring a commit with other gates.
 * For an autopilot run this is the base commit, and the commits after it are checked by its rules. Answers the commit.
 */
export async function requireStart(repo: Repository, session: BundledSession): Promise<string> {
  const { state, bundle } = session;
  const plan = await bundledPlanOf(bundle, state);
  const commit = plan?.base ?? state.session.start.commit;
  if ((await missingObjects(repo, [commit])).length > 0) throw unknownStart(commit);
  if (plan) await requirePlan(repo, plan, session);
  return commit;
}

async function requirePlan(
  repo: Repository,
  plan: AutopilotPlan,
  { state, bundle, makeConfig }: BundledSession,
): Promise<void> {
  const head = planHead(plan);
  if (head !== undefined && (await missingObjects(repo, [head])).length > 0) {
    await readPack(repo, `${bundle.root}/${packFile}`);
  }
  requireAuthor(state);
  const { config_path: path } = state.session;
  const config = await readCommitConfig(repo, { commit: plan.base, path }, makeConfig);
  // Nothing is pushed here, so the branch may have any name.
  if (config) await checkPlan(repo, { plan, config, named: plan.branch });
  else throw noConfig(path, plan.base);
}

/** The session of an autopilot run must say so: else its commands would run as if a person wrote them, even without a sandbox. */
export function requireAuthor({ session }: SessionState): void {
  if (session.list_author === "model") return;
  throw new RalphError("firewall", {
    message:
      "The session does not say that a model wrote its task list, as the session of an autopilot run must.",
    remedy: "Start a new run with `ralph autopilot`.",
  });
}

const unknownStart = (commit: string) =>
  new RalphError("git", {
    message: `The session started from ${commit.slice(0, 12)}, which this clone does not have.`,
    remedy: "Fetch the start branch with its history (`git fetch --unshallow`), or push it first.",
  });

const noConfig = (path: string, base: string) =>
  new RalphError("config", {
    message: `${path} is not in the base commit ${base.slice(0, 12)} of the run, so there are no rules for proving it.`,
    remedy: "Prove the bundle in a clone of the run's repository.",
  });
