import { agentFiles } from "../../agents/drivers/drivers.ts";
import { RalphError, renderProblem } from "../../error.ts";
import { commitLine } from "../../git/commits/commit-line.ts";
import type { Repository } from "../../git/repository/repository.ts";
import type { ReplayedEvent } from "../../journal/audit.ts";
import { createRedactor } from "../../platform/secrets/redact.ts";
import { counted } from "../../text/figures.ts";
import { checkBookkeeping } from "./check-bookkeeping.ts";
import { createSecretFinder } from "./find-secrets.ts";
import { checkPatch, type FirewallViolation, flaggedModes } from "./firewall.ts";
import { readPatch } from "./read-patch.ts";
import type { TrustedStart } from "./trusted-start.ts";

/** Read for old contents as well, so no smaller than any file a repository reasonably holds. */
const maxFileBytes = 16 * 1024 * 1024;
/** More tasks than any session has. */
const maxCommits = 2000;
/** Of findings in a message; programs get all of them. */
const maxLines = 50;

/** The session's commits, oldest first: one line from the start commit to the head, without merges. */
export async function ownCommits(
  repo: Repository,
  { from, to }: { from: string; to: string },
): Promise<string[]> {
  const line = await commitLine(repo, { from, to, max: maxCommits });
  if (line) return line;
  throw new RalphError("firewall", {
    message: `The commits from ${from.slice(0, 12)} to ${to.slice(0, 12)} are not one line of at most ${maxCommits}.`,
    remedy: "Start a new session with `ralph run`; sessions make no merges.",
  });
}

type Checks = {
  commits: readonly string[];
  start: TrustedStart;
  moments: readonly ReplayedEvent[];
  secrets: readonly string[];
};

/**
 * Holds commits against the firewall, each for itself: what one brings and the next takes away would be public all the
 * same. Any finding is exit 25 with all of them; the answer is what people should look at.
 */
export async function checkCommits(
  repo: Repository,
  { commits, start, moments, secrets }: Checks,
): Promise<FirewallViolation[]> {
  const settings = {
    protect: start.config.protect,
    agentFiles: agentFiles(),
    findSecrets: createSecretFinder(secrets),
  };
  const findings: FirewallViolation[] = [];
  const flagged: FirewallViolation[] = [];
  for (const commit of commits) {
    const patch = await readPatch(repo, { commit, maxFileBytes });
    const isPlan = start.plan?.commits.includes(commit);
    // What a plan brings was compared with what its run says; the rest holds for it as well.
    const own = isPlan ? (start.plan?.paths ?? []) : start.own;
    findings.push(...checkPatch(patch, { ...settings, own }));
    if (!isPlan)
      findings.push(...(await checkBookkeeping(repo, moments, { commit, patch, start })));
    flagged.push(...flaggedModes(patch));
  }
  if (findings.length > 0) throw blocked(findings, createRedactor(secrets));
  return flagged;
}

function blocked(
  findings: readonly FirewallViolation[],
  redact: (text: string) => string,
): RalphError {
  const problems = findings.map(({ path, rule, message }) => ({
    file: redact(path),
    message: `${message} (${rule})`,
  }));
  const lines = problems.slice(0, maxLines).map(renderProblem);
  return new RalphError("firewall", {
    message: `The result must not be published (${counted(problems.length, "finding")}):\n${lines.join("\n")}`,
    remedy:
      "Look at the findings; lift a rule by `protect` in the configuration only where you mean to.",
    problems,
  });
}
