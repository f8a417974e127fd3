import { normalize } from "node:path/posix";
import type { z } from "zod";
import { pathMatcher } from "../../src/core/checks/path-pattern.ts";
import { readCommand } from "../../src/github/issues/comment-command.ts";
import { digestOfIssue } from "../../src/github/issues/issue-text.ts";
import { configFile } from "../../src/schema/config/config.ts";
import type { Triggers } from "../../src/schema/config/publishing.ts";
import { createWorkRequest } from "../../src/schema/work-request.ts";
import type { JobData } from "../jobs/job.ts";
import { newTicks } from "./dashboard-boxes.ts";
import * as payloads from "./payloads.ts";

type EventKind =
  | "start"
  | "report"
  | "steer"
  | "explain"
  | "workflow"
  | "pull-closed"
  | "human-push"
  | "dashboard"
  | "welcome"
  | "recheck"
  | "deleted";

/** A job that an event leads to, still without its repository. */
export type JobDraft =
  | { [Kind in EventKind]: { kind: Kind } & Omit<JobData[Kind], "place"> }[EventKind]
  | { kind: "reinstalled" };

/** A draft with its key: drafts of equal keys are one job (F42). */
export interface KeyedDraft {
  draft: JobDraft;
  /** If the event itself names no repository. */
  repository?: { id: number; full_name: string };
  key: readonly (string | number)[];
}

/** Facts for rules besides the event, all from the default branch or the App itself. */
export interface RuleSettings {
  triggers: Triggers;
  reports: { folder: string; patterns: readonly string[] };
  /** Id of this App's own account. */
  selfId: number;
  /** Files of the workflows the App starts, such as `.github/workflows/ralph.yml`. */
  workflows: readonly string[];
}

export interface Rule {
  /** Event and action, such as `issues.labeled`. */
  event: string;
  read: (payload: unknown, settings: RuleSettings) => KeyedDraft[];
}

function rule<Schema extends z.ZodType>(
  event: string,
  schema: Schema,
  decide: (payload: z.output<Schema>, settings: RuleSettings) => KeyedDraft[],
): Rule {
  return { event, read: (payload, settings) => decide(schema.parse(payload), settings) };
}

/** The trigger behind each command's label. */
export const labelTriggers = { run: "label", autopilot: "autopilot-label" } as const;

/** After these a repository has another address or state; GitHub is asked which. */
const repositoryChanges = [
  ...["renamed", "transferred", "archived", "unarchived"],
  ...["privatized", "publicized", "edited"],
] as const;

/** The events the App handles: one line each, with a pure function. */
export const rules: readonly Rule[] = [
  rule("issues.labeled", payloads.Labeled, labeled),
  rule("issue_comment.created", payloads.Commented, commented),
  rule("issues.edited", payloads.Edited, edited),
  rule("push", payloads.Pushed, pushed),
  rule("workflow_run.requested", payloads.WorkflowRun, workflowMoved),
  rule("workflow_run.in_progress", payloads.WorkflowRun, workflowMoved),
  rule("workflow_run.completed", payloads.WorkflowRun, workflowMoved),
  rule("pull_request.closed", payloads.PullClosed, pullClosed),
  rule("pull_request.synchronize", payloads.PullPushed, pullPushed),
  ...repositoryChanges.map((action) =>
    rule(`repository.${action}`, payloads.RepositoryChanged, repositoryChanged),
  ),
  rule("repository.deleted", payloads.RepositoryChanged, repositoryDeleted),
  rule("installation.created", payloads.Installation, installed),
  rule("installation.deleted", payloads.Installation, uninstalled),
  rule("installation.suspend", payloads.Installation, reachChanged),
  rule("installation.unsuspend", payloads.Installation, reachChanged),
  rule("installation_repositories.added", payloads.Installation, installed),
  rule("installation_repositories.removed", payloads.Installation, uninstalled),
];

/** Labels only count on open issues, not on pull requests. A label is removed at the start, so it counts once (T31). */
function labeled(
  payload: z.output<typeof payloads.Labeled>,
  { triggers }: RuleSettings,
): KeyedDraft[] {
  const { issue, label, repository, sender } = payload;
  const command = commandFor(label.name, triggers);
  if (!command || issue.state !== "open" || issue.pull_request !== undefined) return [];
  const { number } = issue;
  const request = createWorkRequest({
    ...labelledWork(command, number),
    ...{ trigger: labelTriggers[command], actor: sender ?? undefined },
    ...digestOf(issue),
  });
  const draft = { kind: "start", request, label: label.name } as const;
  return [{ draft, key: ["label", repository.id, number, label.name, issue.updated_at] }];
}

/** The run label asks for its issue; the autopilot label lets the autopilot choose between the reports and the issue. */
export const labelledWork = (command: "run" | "autopilot", issue: number) =>
  command === "run"
    ? ({ command, item: `issue-${issue}`, issue } as const)
    : ({ command, item: "reports", issue, alternativeIssue: issue } as const);

/** The digest of the issue's text at this moment. */
const digestOf = ({ title, body }: z.output<typeof payloads.Labeled>["issue"]) =>
  title === undefined ? {} : { textDigest: digestOfIssue({ title, body }) };

function commandFor(name: string, { label, autopilot_label }: Triggers) {
  if (name === label) return "run";
  return name === autopilot_label ? "autopilot" : undefined;
}

function commented(
  { comment, issue, repository }: z.output<typeof payloads.Commented>,
  { triggers, selfId }: RuleSettings,
): KeyedDraft[] {
  if (!triggers.commands || comment.user?.id === selfId) return [];
  const read = readCommand(comment.body);
  if (read.kind === "none") return [];
  const asked = { issue: issue.number, actor: comment.user ?? undefined, comment: comment.id };
  const key = ["comment", repository.id, comment.id];
  if (read.kind === "unreadable") {
    return [{ draft: { kind: "explain", ...asked, problem: read.problem }, key }];
  }
  const isPull = issue.pull_request !== undefined;
  const digest = isPull ? {} : digestOf(issue);
  return [{ draft: { kind: "steer", command: read.command, isPull, ...digest, ...asked }, key }];
}

/** The boxes this edit ticks in the App's dashboard issue; the job checks whether they are still ticked. */
function edited(
  { issue, changes, repository, sender }: z.output<typeof payloads.Edited>,
  { selfId }: RuleSettings,
): KeyedDraft[] {
  if (issue.user?.id !== selfId || sender?.id === selfId || !changes?.body) return [];
  const boxes = newTicks(changes.body.from ?? "", issue.body ?? "");
  if (boxes.length === 0) return [];
  const actor = sender ?? undefined;
  const draft = { kind: "dashboard", issue: issue.number, boxes, actor } as const;
  return [{ draft, key: ["dashboard", repository.id, issue.number, issue.updated_at, ...boxes] }];
}

/** Only reports and the configuration on the default branch count: pushing there takes write permission (T13). */
function pushed(payload: z.output<typeof payloads.Pushed>, settings: RuleSettings): KeyedDraft[] {
  const { ref, repository, commits, after, deleted } = payload;
  if (ref !== `refs/heads/${repository.default_branch}` || deleted) return [];
  const isChanged = commits.some(({ added, modified }) =>
    [...added, ...modified].includes(configFile),
  );
  const recheck: KeyedDraft = { draft: { kind: "recheck" }, key: ["config", repository.id, after] };
  return [...pushedReports(payload, settings), ...(isChanged ? [recheck] : [])];
}

function pushedReports(
  { repository, commits, after, sender }: z.output<typeof payloads.Pushed>,
  { triggers, reports, selfId }: RuleSettings,
): KeyedDraft[] {
  if (!triggers.reports || sender?.id === selfId) return [];
  if (reportsIn(commits, reports).length === 0) return [];
  const request = createWorkRequest({
    ...{ command: "autopilot", item: "reports", trigger: "report-push" },
    actor: sender ?? undefined,
  });
  return [{ draft: { kind: "report", request }, key: ["report", repository.id, after] }];
}

function workflowMoved(
  { action, workflow_run: run, repository }: z.output<typeof payloads.WorkflowRun>,
  { workflows }: RuleSettings,
): KeyedDraft[] {
  const path = run.path.split("@", 1)[0] ?? "";
  if (!workflows.includes(path) || run.head_branch !== repository.default_branch) return [];
  const draft = { kind: "workflow", run: run.id } as const;
  return [{ draft, key: ["workflow", repository.id, run.id, run.run_attempt, action] }];
}

function pullClosed(
  { pull_request: pull, repository }: z.output<typeof payloads.PullClosed>,
  { selfId }: RuleSettings,
): KeyedDraft[] {
  if (pull.user?.id !== selfId) return [];
  const draft = { kind: "pull-closed", pull: pull.number } as const;
  return [{ draft, key: ["closed", repository.id, pull.number, pull.updated_at] }];
}

/** After someone else's push to its branch ralph stops (design 6). */
function pullPushed(
  { pull_request: pull, repository, sender, after }: z.output<typeof payloads.PullPushed>,
  { selfId }: RuleSettings,
): KeyedDraft[] {
  if (pull.user?.id !== selfId || sender?.id === selfId) return [];
  const draft = { kind: "human-push", pull: pull.number } as const;
  return [{ draft, key: ["push", repository.id, pull.number, after] }];
}

function installed(payload: z.output<typeof payloads.Installation>): KeyedDraft[] {
  const repositories = [...(payload.repositories ?? []), ...(payload.repositories_added ?? [])];
  return repositories.map((repository) => ({
    draft: { kind: "welcome" },
    repository,
    key: ["welcome", payload.installation.id, repository.id],
  }));
}

type Changed = z.output<typeof payloads.RepositoryChanged>;

function repositoryChanged({ action, repository }: Changed): KeyedDraft[] {
  const { id, full_name, updated_at = "" } = repository;
  return [{ draft: { kind: "recheck" }, key: [action, id, full_name, updated_at] }];
}

function repositoryDeleted({ repository }: Changed): KeyedDraft[] {
  return [{ draft: { kind: "deleted" }, key: ["deleted", repository.id] }];
}

/** The repositories are rechecked, which finds them out of reach. */
function uninstalled(payload: z.output<typeof payloads.Installation>): KeyedDraft[] {
  const { installation } = payload;
  const repositories = [...(payload.repositories ?? []), ...(payload.repositories_removed ?? [])];
  return repositories.map((repository) => ({
    draft: { kind: "recheck" },
    repository,
    key: ["removed", installation.id, installation.updated_at ?? "", repository.id],
  }));
}

/** All known repositories are rechecked: out of reach while the installation is suspended, and in reach afterwards. */
function reachChanged({
  action,
  installation,
}: z.output<typeof payloads.Installation>): KeyedDraft[] {
  const key = ["reinstalled", action, installation.id, installation.updated_at ?? ""];
  return [{ draft: { kind: "reinstalled" }, key }];
}

type Commits = readonly { added: readonly string[]; modified: readonly string[] }[];

/** The reports in a push: direct children of the folder whose names match the configured patterns. Pure. */
function reportsIn(
  commits: Commits,
  { folder, patterns }: { folder: string; patterns: readonly string[] },
): string[] {
  const start = `${normalize(folder).replace(/\/+$/, "")}/`;
  const isReport = pathMatcher([...patterns]);
  const changed = commits.flatMap(({ added, modified }) => [...added, ...modified]);
  const names = changed
    .filter((path) => path.startsWith(start))
    .map((path) => path.slice(start.length));
  const reports = names.filter((name) => !name.includes("/") && isReport(name));
  return [...new Set(reports)].toSorted().map((name) => `${start}${name}`);
}
