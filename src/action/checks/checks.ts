import * as z from "zod";
import type { Issue } from "../../autopilot/reports/report.ts";
import { RalphError } from "../../error.ts";
import { digestOfIssue } from "../../github/issues/issue-text.ts";
import type { OwnPull } from "../../github/pulls/pull.ts";
import { replayJournal } from "../../journal/journal.ts";
import { digestOf } from "../../journal/line.ts";
import type { System } from "../../platform/system.ts";
import type { Config } from "../../schema/config/config.ts";
import type { SessionContext } from "../../session/loop/session-context.ts";
import { workflowCommand } from "../../views/job/workflow-command.ts";
import { readEvent } from "../inputs/event-payload.ts";
import type { StepContext } from "../step.ts";

/** The program depends on the shells, signals and locks of Linux and macOS; it starts nothing elsewhere (exit 1). */
export function requirePlatform(platform: NodeJS.Platform): void {
  if (platform === "linux" || platform === "darwin") return;
  const name = platform === "win32" ? "Windows" : platform;
  throw new RalphError("config", {
    message: `ralph does not work on ${name} runners; nothing was started.`,
    remedy: "Set `runs-on: ubuntu-24.04` for this job.",
  });
}

/** Hosts whose artifact service today's actions can use, and this machine, for other programs that run workflows. */
const withArtifacts = /(?:^|\.)(?:github\.com|ghe\.com|localhost)$|^127\.0\.0\.1$/i;

/**
 * A GitHub Enterprise Server has no artifact service for `actions/upload-artifact` of version 4 or newer: the session
 * would be lost after it was paid for. Checked before anything is spent (exit 1).
 */
export function requireArtifacts({ system, inputs }: Pick<StepContext, "system" | "inputs">): void {
  const { GITHUB_SERVER_URL: server } = system.env;
  if (!server || !inputs["session-artifact"] || inputs["dry-run"]) return;
  const { hostname } = new URL(server);
  if (withArtifacts.test(hostname)) return;
  throw new RalphError("config", {
    message: `${hostname} is a GitHub Enterprise Server, which cannot keep a session: its artifacts are older than actions/upload-artifact v4.`,
    remedy:
      "Use the action as one step with `session-artifact: false`; the session is then published by the same job, and cannot be continued by another one.",
  });
}

/** A job must commit what an autopilot writes, or it is lost with the machine (exit 1). */
export function requireAutoCommit({ autopilot }: Pick<Config, "autopilot">): void {
  const off = (["prd", "tasks"] as const).filter((part) => !autopilot[part].auto_commit);
  if (off.length === 0) return;
  const keys = off.map((part) => `\`autopilot.${part}.auto_commit\``).join(" and ");
  throw new RalphError("config", {
    message: `${keys} ${off.length === 1 ? "is" : "are"} false, but files that are not committed are lost when the job ends.`,
    remedy:
      "Leave it out; to read the document before anything is built, set `autopilot.prd.mode: interactive`.",
  });
}

/**
 * The artifact must match the output `journal-digest` of the agents' job, which comes as RALPH_JOURNAL_DIGEST (T57).
 * A job that was killed has no such output.
 */
export async function requireDigest(
  { files, env }: Pick<System, "files" | "env">,
  bundle: string,
): Promise<void> {
  const expected = env.RALPH_JOURNAL_DIGEST;
  if (!expected) return;
  const replay = await replayJournal(files(bundle));
  if (replay && digestOf(replay.end) === expected) return;
  throw new RalphError("tampering", {
    message: "The downloaded session differs from the one at the end of the agents' job.",
    remedy:
      "Look for another job of this workflow that uploads artifacts named ralph-session-…, then run it again.",
  });
}

const IssueEvent = z.object({
  issue: z.object({ number: z.int(), title: z.string(), body: z.string().nullish() }),
});

/**
 * A label or a comment approves the issue's text of that moment; its author could edit it before it is read (T05). The
 * text itself always comes from the API, never from the event. `digest` is that of the approved text, where the event
 * does not hold it.
 */
export async function requireUnedited(
  system: Pick<System, "files" | "env">,
  issue: Issue,
  digest?: string,
): Promise<void> {
  const approved = digest ?? (await digestOfEvent(system, issue.number));
  if (approved === undefined || approved === digestOfIssue(issue)) return;
  const isLabel = digest === undefined && system.env.GITHUB_EVENT_NAME === "issues";
  throw new RalphError("config", {
    message: `Issue ${issue.number} was edited after it was ${isLabel ? "labelled" : "requested"}.`,
    remedy: `Read it again; if it is still correct, ${isLabel ? "remove the label and add it again" : "repeat the request"}.`,
  });
}

async function digestOfEvent(system: Pick<System, "files" | "env">, number: number) {
  const { GITHUB_EVENT_NAME: event = "" } = system.env;
  if (event !== "issues" && event !== "issue_comment") return undefined;
  const issue = IssueEvent.safeParse(await readEvent(system)).data?.issue;
  return issue?.number === number ? digestOfIssue(issue) : undefined;
}

/** Events that start a job without a person's command; they start nothing while `autopilot.enabled` is false (design 6). */
const triggers = ["schedule", "issues", "issue_comment", "push", "repository_dispatch"];

/** Why no new autopilot run starts, decided before anything is spent; undefined: it may start. */
export function skipReason(
  { autopilot, limits, pr }: Pick<Config, "autopilot" | "limits" | "pr">,
  { event, pulls }: { event: string | undefined; pulls: readonly OwnPull[] },
): string | undefined {
  if (!autopilot.enabled && triggers.includes(event ?? "")) {
    return `\`autopilot.enabled\` is false in the configuration, so the event ${event} starts nothing. Set it to true, or start the workflow by hand.`;
  }
  const open = pulls.filter(({ state }) => state === "open");
  if (open.length < limits.open_prs || !autopilot.create_pr || !pr.enabled) return undefined;
  const urls = open.map(({ url }) => url).join(", ");
  return `A ralph pull request is waiting for review: ${urls}. Merge or close it; \`limits.open_prs\` sets how many may be open.`;
}

/**
 * Logs what an agent can do without the sandbox (design 5), once and before the first agent runs. It is a warning unless the
 * configuration switches the sandbox off.
 */
export function warnWithoutSandbox(
  { config, journal }: Pick<SessionContext, "config" | "journal">,
  { inputs, print }: Pick<StepContext, "inputs" | "print">,
): void {
  if (journal.state.session.sandbox !== "off") return;
  const token = inputs.mode === "all" ? " and the token it pushes with" : "";
  const text = `No sandbox: agents can read other secrets of this job${token}, and leave programs running.`;
  const remedy = "Use ubuntu-24.04 with bubblewrap, or ralph.yml as a reusable workflow.";
  const warning = workflowCommand("warning", `${text} ${remedy}`, { title: "ralph: no sandbox" });
  if (config.sandbox.mode === "off") print.line(text);
  else print.command(warning);
}
