import { describe, expect, test } from "vitest";
import { parse, stringify } from "yaml";
import { sampled } from "../setup/sampled.ts";
import { committed, program } from "../support/action/arrange.ts";
import {
  type ActionProject,
  createActionProject,
  type Started,
} from "../support/action/project.ts";
import { innerSteps, onlyJob, outputsOf, stepWorkflow } from "../support/action/workflow.ts";
import { task } from "../support/builders/session.ts";
import type { ProjectOptions } from "../support/project/project.ts";

type Case = {
  title: string;
  options?: ProjectOptions;
  given?: Record<string, string>;
  arrange?: (github: ActionProject) => void;
  /** Keys of the `github` context. */
  github?: Started["github"];
  /** A right the job lacks. */
  without?: string;
  /** The step that stops; those after it do not run. */
  step: string;
  reason: string;
  code: string;
  says: RegExp;
};

const role = { driver: "claude" };
const withClaude: ProjectOptions = {
  agents: { implementation: role, test_writing: role, review: role },
};

// One for each step that can stop a job; what each of them refuses is tested beside its source.
const refused: Case[] = [
  {
    title: "an input that contains runner commands",
    given: { config: "a.yml\n::set-output name=status::completed\n::add-mask::e" },
    step: "Begin",
    reason: "config",
    code: "1",
    says: /Input config: must be a single line/,
  },
  {
    title: "a task list with mistakes, each with its line",
    arrange: committed(({ project }) =>
      project.write(".ralph/prd.json", '{"project": 1,\n "tasks": [{}]}'),
    ),
    step: "Begin",
    reason: "source",
    code: "2",
    says: /prd\.json:1:\d+: project must be text[\s\S]*prd\.json:2:\d+: tasks\[0\]\.id is missing/,
  },
  {
    title: "no token for the push",
    given: { "github-token": "" },
    step: "Prepare",
    reason: "config",
    code: "1",
    says: /github-token is empty: the job cannot push the branch/,
  },
  {
    title: "a repository that lets Actions open no pull requests",
    given: { "create-pr": "true" },
    step: "Begin",
    reason: "pr",
    code: "15",
    says: /not permitted to create[\s\S]*Tick "Allow GitHub Actions to create and approve pull requests"/,
  },
  {
    title: "a job without `pull-requests: write`",
    given: { "create-pr": "true" },
    without: "pull-requests",
    step: "Begin",
    reason: "pr",
    code: "15",
    says: /Give the job `pull-requests: read` under `permissions:`/,
  },
  {
    title: "a job that may only read pull requests",
    given: { "create-pr": "true" },
    without: "pull-requests: write",
    step: "Begin",
    reason: "pr",
    code: "15",
    says: /Give the job `pull-requests: write` under `permissions:`/,
  },
  {
    title: "a job without `contents: write`, as in a workflow of a fork",
    without: "contents: write",
    step: "Begin",
    reason: "git",
    code: "14",
    says: /create the branch ralph\/example[\s\S]*Give the job `contents: write` under `permissions:`/,
  },
  {
    title: "a ruleset that wants pull requests for every branch",
    arrange: ({ state }) => state.rules.push("pull_request"),
    step: "Begin",
    reason: "git",
    code: "14",
    says: /Require a pull request before merging\.\nExclude ralph\/example from the ruleset \(Settings, Rules/,
  },
  {
    title: "a ruleset that wants signed commits",
    arrange: ({ state }) => state.rules.push("required_signatures"),
    step: "Begin",
    reason: "git",
    code: "14",
    says: /wants signed commits on ralph\/example[\s\S]*`commits: api`/,
  },
  {
    title: "a ruleset that lets no one create the branch",
    arrange: ({ state }) => state.rules.push("creation"),
    step: "Begin",
    reason: "git",
    code: "14",
    says: /creations being restricted[\s\S]*Exclude ralph\/example from the ruleset/,
  },
  {
    title: "a branch protection rule under which only some people push",
    arrange: ({ state }) => {
      state.protection = {
        ...{ pattern: "ralph/*", requiresSignatures: false, viewerCanPush: false },
        ...{ requiredApprovingReviewCount: null, requiredStatusCheckContexts: [] },
      };
    },
    step: "Begin",
    reason: "git",
    code: "14",
    says: /"ralph\/\*" forbids pushes to ralph\/example: Restrict who can push[\s\S]*Exclude ralph\/example from its pattern/,
  },
  {
    title: "a default branch that was renamed",
    github: { event: { repository: { default_branch: "main" } } },
    arrange: committed(({ project }) => {
      const config = JSON.parse(project.read(".ralph/ralph.yml"));
      config.git.base_branch = "master";
      project.write(".ralph/ralph.yml", JSON.stringify(config));
    }),
    step: "Prepare",
    reason: "git",
    code: "14",
    says: /The run would commit to main, the repository's default branch[\s\S]*Set `git\.base_branch: main`/,
  },
  {
    title: "a GitHub Enterprise Server, whose artifacts are too old",
    github: { server_url: "https://ghe.example.com" },
    step: "Begin",
    reason: "config",
    code: "1",
    says: /ghe\.example\.com is a GitHub Enterprise Server[\s\S]*`session-artifact: false`/,
  },
  {
    title: "a branch with other commits on GitHub",
    given: { "create-pr": "true" },
    arrange: ({ project, remoteGit }) => {
      project.git("switch", "-qc", "ralph/example");
      project.git("commit", "-q", "--allow-empty", "-m", "mine");
      remoteGit("fetch", "-q", project.root, "+ralph/example:ralph/example");
      project.git("switch", "-q", "main");
    },
    step: "Begin",
    reason: "git",
    code: "14",
    says: /The branch ralph\/example is at \w{12}, which no pull request and no kept session explains/,
  },
  {
    title: "a session to continue that was never uploaded",
    given: { "resume-from": "999" },
    step: "Read what GitHub knows",
    reason: "source",
    code: "2",
    says: /Workflow run 999 has no artifact/,
  },
  {
    title: "no model key",
    options: withClaude,
    arrange: program("claude", "echo 2.1.329"),
    step: "Work through the tasks",
    reason: "config",
    code: "1",
    says: /There is no model key for claude\.[\s\S]*`anthropic-api-key`.*Workflows of forks/,
  },
  {
    title: "a sandbox that is required and does not work",
    given: { sandbox: "required" },
    arrange: program("bwrap", "exit 1"),
    step: "Work through the tasks",
    reason: "config",
    code: "1",
    says: /This run needs the sandbox/,
  },
  {
    title: "a token that may not push",
    given: { "github-token": "ghs_reads_only" },
    step: "Begin",
    reason: "git",
    code: "14",
    says: /Bad credentials/,
  },
];

/** A user's workflow, with a right less. */
function workflowOf({ given, without }: Pick<Case, "given" | "without">) {
  const workflow = parse(stepWorkflow(given));
  const { permissions } = workflow.jobs.ralph;
  const [right = "", level] = without?.split(": ") ?? [];
  if (level !== undefined) permissions[right] = "read";
  else delete permissions[right];
  return stringify(workflow);
}

/** A reserved branch may exist, but without a commit of its own. */
const commitsOf = ({ remoteGit }: ActionProject) => remoteGit("rev-list", "--all", "--not", "main");

describe("a job that cannot work fails, names the reason, and pushes nothing", () => {
  test.each(sampled(refused, 2))("$title", async ({ step, reason, code, says, ...given }) => {
    await using github = await createActionProject({ tasks: [task("T-001")], ...given.options });
    given.arrange?.(github);
    const before = commitsOf(github);
    const PATH = `${github.project.folder}/bin:${process.env.PATH}`;
    await using result = await github.run(workflowOf(given), {
      env: { PATH },
      ...(given.github && { github: given.github }),
    });
    const job = onlyJob(result);
    expect(result.conclusion).toBe("failure");
    expect(outputsOf(job)).toMatchObject({
      status: "failed",
      "stop-reason": reason,
      "exit-code": code,
    });
    expect(Object.entries(innerSteps(job)).at(-1)).toEqual([step, "failure"]);
    const errors = job.annotations.filter(({ level }) => level === "error");
    expect(errors[0]).toMatchObject({ properties: { title: "ralph" } });
    expect(errors[0]?.message).toMatch(says);
    expect(errors.slice(1)).toMatchObject([
      { message: `Process completed with exit code ${code}.` },
    ]);
    expect(commitsOf(github)).toBe(before);
    expect(job.orphans).toEqual([]);
  });
});
