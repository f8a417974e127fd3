import { agentFiles } from "../../agents/drivers/drivers.ts";
import { RalphError, renderProblem } from "../../error.ts";
import type { Repository } from "../../git/repository/repository.ts";
import { commitLine } from "../../git/trees/history.ts";
import type { ReplayedEvent } from "../../journal/audit.ts";
import { createRedactor } from "../../platform/secrets/redact.ts";
import { counted, shortCommit } from "../../text/figures.ts";
import { checkBookkeeping } from "./check-bookkeeping.ts";
import { createSecretFinder } from "./find-secrets.ts";
import { checkPatch, type FirewallViolation, flaggedModes } from "./firewall.ts";
import { readPatch } from "./patch.ts";
import type { TrustedStart } from "./trusted-start.ts";

/** Applies to old contents as well, so it exceeds any reasonable file of a repository. */
const maxFileBytes = 16 * 1024 * 1024;
/** More than the tasks of any session. */
const maxCommits = 2000;
/** Findings in a message; `problems` holds all of them. */
const maxLines = 50;

/** The session's commits, oldest first: one line from the start commit to the head, without merges. */
export async function ownCommits(
  repo: Repository,
  { from, to }: { from: string; to: string },
): Promise<string[]> {
  const line = await commitLine(repo, { from, to, max: maxCommits });
  if (line) return line;
  throw new RalphError("firewall", {
    message: `The commits from ${shortCommit(from)} to ${shortCommit(to)} are not one line of at most ${maxCommits} commits.`,
    remedy: "Start a new session with `ralph run`; sessions make no merges.",
  });
}

/**
 * Checks each commit with the firewall: content that one commit adds and the next removes would still be public. Exit 25
 * with all findings, if any; otherwise returns the changes a reviewer should look at.
 */
export async function checkCommits(
  repo: Repository,
  checks: {
    commits: readonly string[];
    start: TrustedStart;
    moments: readonly ReplayedEvent[];
    secrets: readonly string[];
  },
): Promise<FirewallViolation[]> {
  const { commits, start, moments, secrets } = checks;
  const shared = { agentFiles: agentFiles(), findSecrets: createSecretFinder(secrets) };
  const today = start.today && {
    ...{ ...shared, protect: start.today.config.protect },
    // A file that only the start commit's rules call ralph's own is one like any other.
    own: start.own.filter((path) => start.today?.own.includes(path)),
  };
  const findings: FirewallViolation[] = [];
  const flagged: FirewallViolation[] = [];
  for (const commit of commits) {
    const patch = await readPatch(repo, { commit, maxFileBytes });
    const isPlan = start.plan?.commits.includes(commit);
    // A plan's files were compared with its run; the other rules apply to it as well.
    const own = isPlan ? (start.plan?.paths ?? []) : start.own;
    const found = checkPatch(patch, { ...shared, protect: start.config.protect, own });
    // A plan's paths are those of its run, checked by its own rules.
    const foundToday = today && !isPlan ? checkPatch(patch, today) : [];
    const known = new Set(found.map(keyOf));
    findings.push(...found, ...foundToday.filter((one) => !known.has(keyOf(one))));
    if (!isPlan)
      findings.push(...(await checkBookkeeping(repo, moments, { commit, patch, start })));
    flagged.push(...flaggedModes(patch));
  }
  if (findings.length > 0) throw blocked(findings, createRedactor(secrets));
  return flagged;
}

const keyOf = ({ path, rule }: FirewallViolation) => `${rule} ${path}`;

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
    message: `The firewall refused the commits (${counted(problems.length, "finding")}):\n${lines.join("\n")}`,
    remedy: "Look at the findings; relax a rule by `protect` in the configuration only on purpose.",
    problems,
  });
}
