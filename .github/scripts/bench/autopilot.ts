import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { createFakeGitHub } from "../../../test/support/github/fake-github.ts";
import { type Seen, startGitHubServer } from "../../../test/support/github/server.ts";
import { anthropic } from "../../../test/support/model-server/anthropic.ts";
import { startModelServer } from "../../../test/support/model-server/server.ts";
import { median } from "./measure.ts";
import type { Effort } from "./overhead.ts";
import { createProject, type Project } from "./project.ts";
import { type Row, row } from "./row.ts";
import { runRalph } from "./session.ts";
import { writeText } from "./write-text.ts";

/** Milliseconds up to the first agent call, the pull request and the end; and what GitHub was asked. */
type Measured = { callMs: number; pullMs: number; endMs: number; requests: number };

const taskCount = 10;
const token = "bench-token";
const repository = "octo/bench";

/** From a report to a pull request, with a model that answers at once and a GitHub on this machine. */
export async function measureAutopilot({ ralph, place, rounds }: Effort): Promise<Row[]> {
  const measured: Measured[] = [];
  for (let round = 0; round < rounds; round++) measured.push(await measureRound(ralph, place));
  return rowsOf(measured);
}

async function measureRound(ralph: string, place: string): Promise<Measured> {
  const project = createProject(place, { files: 100, tasks: 1 });
  const root = join(project.folder, "github");
  const github = createBusyGitHub();
  const other = [{ say: JSON.stringify(answer) }];
  await using model = await startModelServer(anthropic, { other });
  await using server = await startGitHubServer(github.answer, { root, token });
  addReport(project, { url: `${server.url}/${repository}.git`, bare: `${root}/${repository}.git` });
  const env = {
    ...{ ...project.env, GITHUB_TOKEN: token },
    ...{ ANTHROPIC_API_KEY: "key", ANTHROPIC_BASE_URL: model.url },
  };
  const startedAt = Date.now();
  await runRalph(ralph, "autopilot", { ...project, env });
  return {
    callMs: project.firstCallAt() - startedAt,
    pullMs: github.pulledAt() - startedAt,
    endMs: Date.now() - startedAt,
    requests: server.seen.length,
  };
}

/** A GitHub whose CI starts with every push: how long it takes to do so is not ours. */
function createBusyGitHub() {
  const fake = createFakeGitHub({ repository });
  let pulledAt = Number.NaN;
  return {
    pulledAt: () => pulledAt,
    answer: (asked: Seen) => {
      const [, head_sha] = /actions\/runs\?head_sha=(\w+)/.exec(asked.path) ?? [];
      if (head_sha !== undefined) {
        const run = { id: 1, name: "CI", head_sha, status: "queued", conclusion: null };
        fake.state.workflowRuns.push(run);
      }
      if (asked.method === "POST" && asked.path.endsWith("/pulls")) pulledAt = Date.now();
      return fake.answer(asked);
    },
  };
}

/** A report on the base branch, and the remote that is pushed to. */
function addReport({ root, env }: Project, { url, bare }: { url: string; bare: string }): void {
  const git = (...args: string[]) => execFileSync("git", args, { cwd: root, env, stdio: "ignore" });
  writeText(join(root, "reports/review-20260120.md"), `# Review\n\n${"It is slow. ".repeat(20)}\n`);
  git("add", "-A");
  git("commit", "-qm", "report");
  git("clone", "-q", "--bare", root, bare);
  git("remote", "add", "origin", url);
}

const numbers = Array.from({ length: taskCount }, (_, at) => at + 1);

/** The answer to every question; fields nobody asked for are ignored. */
const answer = {
  priority_item: "Make the search fast",
  description: "It takes a second for each letter.",
  rationale: "Everybody waits for it.",
  acceptance_criteria: ["It is fast"],
  branch_name: "fix/search",
  title: "Search",
  overview: "It answers at once.",
  requirements: numbers.map((at) => `Part ${at} is fast`),
  tasks: numbers.map((at) => ({
    title: `Make part ${at} number ${at} fast`,
    description: "As the requirement says.",
    acceptanceCriteria: ["It is fast"],
    priority: at,
    requirements: [`FR-${at}`],
  })),
};

function rowsOf(rounds: readonly Measured[]): Row[] {
  const of = (name: keyof Measured) => median(rounds.map((round) => round[name]));
  return [
    row("report to first agent call", of("callMs"), "ms"),
    row("report to pull request, ten tasks", of("pullMs"), "ms", { goal: 3000 }),
    row("the same, with all that follows it", of("endMs"), "ms"),
    row("GitHub requests of such a run", of("requests"), "requests", { goal: 25 }),
  ];
}
