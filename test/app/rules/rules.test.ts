import { expect, test } from "vitest";
import * as z from "zod";
import { jobId } from "../../../app/jobs/new-job.ts";
import {
  type JobDraft,
  type KeyedDraft,
  type RuleSettings,
  rules,
} from "../../../app/rules/rules.ts";
import { digestOfIssue } from "../../../src/github/issues/issue-text.ts";
import { Triggers } from "../../../src/schema/config/publishing.ts";
import { createWorkRequest } from "../../../src/schema/work-request.ts";

const selfId = 900;
const settings: RuleSettings = {
  triggers: Triggers.parse({}),
  reports: { folder: "./reports", patterns: ["*.md", "*.txt", "*.json", "*.html"] },
  selfId,
  workflows: [".github/workflows/ralph.yml"],
};

const ada = { login: "ada", id: 5, type: "User" };
const self = { login: "ralph[bot]", id: selfId, type: "Bot" };
const base = {
  installation: { id: 3 },
  repository: { id: 7, full_name: "octo/example", default_branch: "main" },
  sender: ada,
};
const issue = { number: 12, state: "open", updated_at: "2026-01-20T10:00:00Z", user: ada };

function read(event: string, payload: object, change: Partial<RuleSettings> = {}): KeyedDraft[] {
  const rule = rules.find((each) => each.event === event);
  if (!rule) throw new Error(`There is no rule for ${event}.`);
  const [, action] = event.split(".");
  return rule.read({ ...base, ...(action && { action }), ...payload }, { ...settings, ...change });
}

const draftsOf = (...given: Parameters<typeof read>): JobDraft[] =>
  read(...given).map(({ draft }) => draft);

const commented = (body: string, user: object = ada) => ({
  issue,
  comment: { id: 44, body, user },
});
const pushed = (added: string[], change: object = {}) => ({
  ref: "refs/heads/main",
  after: "a".repeat(40),
  commits: [{ added, modified: [] }],
  ...change,
});
const ran = (change: object = {}) => ({
  workflow_run: {
    ...{ id: 31, run_attempt: 2, path: ".github/workflows/ralph.yml@refs/heads/main" },
    ...{ event: "workflow_dispatch", head_branch: "main", display_title: "x", actor: self },
    ...change,
  },
});
const closed = (user: object, merged: boolean) => ({
  pull_request: { number: 9, merged, user, updated_at: "2026-01-20T10:00:00Z" },
});

const reports = { command: "autopilot", item: "reports" } as const;
const issue12 = { command: "run", item: "issue-12", issue: 12, trigger: "label" } as const;
const table: [string, string, object, JobDraft[]][] = [
  [
    "the label starts a run of the issue",
    "issues.labeled",
    { issue, label: { name: "ralph" } },
    [
      {
        ...{ kind: "start", label: "ralph" },
        request: createWorkRequest({ ...issue12, actor: ada }),
      },
    ],
  ],
  [
    "the autopilot label starts the autopilot",
    "issues.labeled",
    { issue, label: { name: "ralph:autopilot" } },
    [
      {
        ...{ kind: "start", label: "ralph:autopilot" },
        request: createWorkRequest({
          ...{ ...reports, issue: 12, alternativeIssue: 12 },
          ...{ trigger: "autopilot-label", actor: ada },
        }),
      },
    ],
  ],
  [
    "a label is bound to the issue's text at that time",
    "issues.labeled",
    { issue: { ...issue, title: "Login", body: null }, label: { name: "ralph" } },
    [
      {
        ...{ kind: "start", label: "ralph" },
        request: createWorkRequest({
          ...{ ...issue12, actor: ada },
          textDigest: digestOfIssue({ title: "Login", body: "" }),
        }),
      },
    ],
  ],
  [
    "so is a command",
    "issue_comment.created",
    { ...commented("/ralph run"), issue: { ...issue, title: "Login", body: "It fails." } },
    [
      {
        ...{ kind: "steer", command: { verb: "run" }, issue: 12, isPull: false },
        textDigest: digestOfIssue({ title: "Login", body: "It fails." }),
        ...{ actor: ada, comment: 44 },
      },
    ],
  ],
  ["another label starts nothing", "issues.labeled", { issue, label: { name: "Ralph" } }, []],
  [
    "a closed issue starts nothing",
    "issues.labeled",
    { issue: { ...issue, state: "closed" }, label: { name: "ralph" } },
    [],
  ],
  [
    "a label on a pull request starts nothing",
    "issues.labeled",
    { issue: { ...issue, pull_request: {} }, label: { name: "ralph" } },
    [],
  ],
  [
    "a command becomes a job",
    "issue_comment.created",
    commented("/ralph retry T-003"),
    [
      {
        ...{ kind: "steer", command: { verb: "retry", task: "T-003" }, issue: 12, isPull: false },
        ...{ actor: ada, comment: 44 },
      },
    ],
  ],
  [
    "a command that cannot be read is explained",
    "issue_comment.created",
    commented("/ralph merge"),
    [
      {
        ...{ kind: "explain", issue: 12, problem: "There is no command `merge`." },
        ...{ actor: ada, comment: 44 },
      },
    ],
  ],
  ["a quoted command is ignored", "issue_comment.created", commented("> /ralph run"), []],
  ["its own comment starts nothing", "issue_comment.created", commented("/ralph run", self), []],
  [
    "a report on the default branch starts the autopilot",
    "push",
    pushed(["reports/may.md", "reports/old/june.md", "src/a.md", "reports/x.exe", "reports/a.txt"]),
    [
      {
        kind: "report",
        request: createWorkRequest({ ...reports, trigger: "report-push", actor: ada }),
      },
    ],
  ],
  [
    "a report on another branch starts nothing (T13)",
    "push",
    pushed(["reports/may.md"], { ref: "refs/heads/mainly" }),
    [],
  ],
  [
    "a pushed configuration leads to a recheck",
    "push",
    pushed([".ralph/ralph.yml"]),
    [{ kind: "recheck" }],
  ],
  [
    "a configuration on another branch is ignored",
    "push",
    pushed([".ralph/ralph.yml"], { ref: "refs/heads/mainly" }),
    [],
  ],
  ["the App's own push starts nothing", "push", pushed(["reports/may.md"], { sender: self }), []],
  ["its workflow is followed", "workflow_run.completed", ran(), [{ kind: "workflow", run: 31 }]],
  [
    "another workflow is ignored",
    "workflow_run.completed",
    ran({ path: ".github/workflows/ci.yml" }),
    [],
  ],
  [
    "its workflow on another branch is ignored",
    "workflow_run.completed",
    ran({ head_branch: "evil" }),
    [],
  ],
  [
    "a ralph pull request was merged",
    "pull_request.closed",
    closed(self, true),
    [{ kind: "pull-closed", pull: 9 }],
  ],
  ["another pull request was merged", "pull_request.closed", closed(ada, true), []],
  [
    "a person pushed to the branch of a ralph pull request",
    "pull_request.synchronize",
    { after: "b".repeat(40), pull_request: { number: 9, user: self } },
    [{ kind: "human-push", pull: 9 }],
  ],
  [
    "the App pushed to its own branch",
    "pull_request.synchronize",
    { after: "b".repeat(40), sender: self, pull_request: { number: 9, user: self } },
    [],
  ],
  [
    "a tick in the dashboard",
    "issues.edited",
    {
      issue: { ...issue, user: self, body: "- [x] <!-- ralph:box:pause --> Pause" },
      changes: { body: { from: "- [ ] <!-- ralph:box:pause --> Pause" } },
    },
    [{ kind: "dashboard", issue: 12, boxes: ["pause"], actor: ada }],
  ],
  [
    "an earlier tick and a new title trigger nothing",
    "issues.edited",
    {
      issue: { ...issue, user: self, body: "- [x] <!-- ralph:box:pause --> Pause" },
      changes: { body: { from: "- [x] <!-- ralph:box:pause --> Pause." } },
    },
    [],
  ],
  ["an edit of another account's issue", "issues.edited", { issue: { ...issue, body: "" } }, []],
  [
    "a suspended installation rechecks its repositories",
    "installation.suspend",
    {},
    [{ kind: "reinstalled" }],
  ],
  [
    "an installation onboards each repository",
    "installation.created",
    { repositories: [{ id: 7, full_name: "octo/example" }] },
    [{ kind: "welcome" }],
  ],
];

test.each(table)("%s", (_, event, payload, drafts) => {
  expect(draftsOf(event, payload)).toEqual(drafts);
});

test("the same event under two ids is one job, the same label set later is another", () => {
  const ids = (updated_at: string) =>
    read("issues.labeled", { issue: { ...issue, updated_at }, label: { name: "ralph" } }).map(
      ({ key }) => jobId(...key),
    );
  expect(ids("2026-01-20T10:00:00Z")).toEqual(ids("2026-01-20T10:00:00Z"));
  expect(ids("2026-01-20T10:00:01Z")).not.toEqual(ids("2026-01-20T10:00:00Z"));
  expect(ids("x")[0]).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-a[0-9a-f]{3}-[0-9a-f]{12}$/);
});

test("disabled comments and reports start nothing", () => {
  const triggers = Triggers.parse({ commands: false, reports: false });
  expect(draftsOf("issue_comment.created", commented("/ralph run"), { triggers })).toEqual([]);
  expect(draftsOf("push", pushed(["reports/may.md"]), { triggers })).toEqual([]);
});

test("any value in any field is parsed or refused", () => {
  const odd = [null, "", -1, 1e99, [], {}, "x".repeat(3000), { __proto__: { id: 1 } }];
  for (const [, event, payload] of table) {
    for (const key of Object.keys({ ...base, ...payload })) {
      for (const value of odd) {
        try {
          read(event, { ...payload, [key]: value });
        } catch (error) {
          expect(error, `${event} ${key}`).toBeInstanceOf(z.ZodError);
        }
      }
    }
  }
});
