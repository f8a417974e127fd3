import { RalphError } from "../error.ts";
import { branchNameProblem } from "../git/branch-name.ts";
import { askGit } from "../git/run-git.ts";
import { readJournal } from "../journal/audit.ts";
import { locateProject } from "../loop/locate-project.ts";
import { openSide } from "../loop/open-side.ts";
import type { Config } from "../model/config.ts";
import type { Run } from "../run/run.ts";
import { secretValues } from "../system/secret-values.ts";
import type { System } from "../system/system.ts";
import { requireSound, takePack } from "./audit-bundle.ts";
import { checkCommits, ownCommits } from "./check-commits.ts";
import type { Finding } from "./firewall.ts";
import { openRemote, pushBranch, type Remote, type RemoteAddress, readRemote } from "./remote.ts";
import { readTrustedStart, type Trust, type TrustedStart } from "./trusted-start.ts";

/** What is published, from where, and what is believed. */
export interface Publication {
  /** Folder of the bundle, absolute. */
  bundle: string;
  /** A checkout no agent has worked in, absolute. */
  checkout: string;
  remote: RemoteAddress;
  trust: Trust;
  /** The publisher's own secrets beside those of the environment, such as its token. */
  secrets?: readonly string[];
}

/** `empty`: the session has no commit. `flagged`: what people should look at in the pull request. */
export interface Published {
  branch: string;
  commit: string;
  kind: "pushed" | "up-to-date" | "empty";
  flagged: readonly Finding[];
  /** That of the start commit. */
  config: Config;
}

/**
 * Audits a bundle, holds every commit of it against the firewall and pushes its branch by compare-and-swap. Nothing in the
 * bundle is believed: rules come from the start commit, and that from trusted history (design 5). Twice is a no-op.
 */
export async function publishBranch(system: System, publication: Publication): Promise<Published> {
  const { bundle, checkout, trust } = publication;
  const place = await locateProject(system, checkout);
  await using repo = await openSide(system, place);
  const { moments, run, broken } = await readJournal(system.files(bundle));
  if (!run) throw noBundle(bundle, broken);
  const start = await readTrustedStart(repo, run, trust);
  await requireSound(system, { place, bundle, makeConfig: trust.makeConfig });
  const { branch, config } = start;
  if (run.head === start.commit) {
    return { branch, config, commit: run.head, kind: "empty", flagged: [] };
  }
  await takePack(repo, run, bundle);
  const remote = openRemote(repo, publication.remote, system);
  const own = await ownCommits(repo, { from: start.commit, to: run.head });
  const tip = await requireFree(remote, { start, run, own });
  if (tip === run.head) return { branch, config, commit: tip, kind: "up-to-date", flagged: [] };
  // What is on the remote already needs no permission to go there.
  const commits = own.slice(own.indexOf(tip ?? "") + 1);
  const secrets = secretsOf(system, publication);
  const flagged = await checkCommits(repo, { commits, start, moments, secrets });
  const result = await pushBranch(remote, { branch, from: tip, to: run.head });
  if (result.kind === "moved") throw moved(branch, result.tip, run.head);
  return { branch, config, commit: run.head, kind: "pushed", flagged };
}

function noBundle(bundle: string, because = "its journal is empty"): RalphError {
  return new RalphError("source", {
    message: `${bundle} is not a bundle of ours: ${because.replace(/\.$/, "")}.`,
    remedy: "Give the folder of a session artifact, with journal.jsonl, evidence and objects.pack.",
  });
}

function secretsOf(system: System, { remote, secrets = [] }: Publication): string[] {
  return [...secretValues(system.env), ...secrets, ...(remote.token ? [remote.token] : [])];
}

type Situation = { start: TrustedStart; run: Run; own: readonly string[] };

/** Where the remote's branch stands, once that is known to be a place we may move it from. */
async function requireFree(
  remote: Remote,
  { start, run, own }: Situation,
): Promise<string | undefined> {
  const { branch, config, commit } = start;
  const problem = branchNameProblem(branch);
  const { defaultBranch, tip } = await readRemote(remote, branch);
  if (problem || branch === config.git.base_branch || branch === defaultBranch) {
    throw new RalphError("git", {
      message: `Nothing is pushed to ${JSON.stringify(branch)}: its name ${problem ?? "is that of the base or default branch"}.`,
      remedy:
        "Name a branch of its own by `branchName` in the task list, then run the tasks again.",
    });
  }
  const isKnown = tip === undefined || own.includes(tip) || (await isBefore(remote, tip, commit));
  if (!isKnown) throw moved(branch, tip, run.head);
  return tip;
}

/** A branch left from earlier work that was merged since: everything on it is in the start commit's history. */
async function isBefore({ repo }: Remote, tip: string, start: string): Promise<boolean> {
  const args = ["merge-base", "--is-ancestor", tip, start];
  return (await askGit(repo, args)).exitCode === 0;
}

function moved(branch: string, tip: string | undefined, head: string): RalphError {
  return new RalphError("git", {
    message: `The branch ${branch} of the remote is at ${tip ?? "no commit: somebody deleted it"}, which this session does not know; the session is at ${head}. Nothing was pushed.`,
    remedy: `Somebody else pushed there: keep what you want of it, then delete the branch, or run again with another \`branchName\`.`,
  });
}
