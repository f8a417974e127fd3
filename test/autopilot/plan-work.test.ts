import { expect, test } from "vitest";
import { analyze } from "../../src/autopilot/analyze.ts";
import { createApiModel } from "../../src/autopilot/api-model.ts";
import { commitDates } from "../../src/autopilot/commit-dates.ts";
import { discoverReport } from "../../src/autopilot/discover-report.ts";
import { planWork } from "../../src/autopilot/plan-work.ts";
import { readRunRecords } from "../../src/autopilot/processed-reports.ts";
import { readProjectFacts } from "../../src/autopilot/prompt-data.ts";
import { autopilotRecord, recordPath, renderRecord } from "../../src/autopilot/run-record.ts";
import { listTree } from "../../src/git/list-paths.ts";
import { treeFiles } from "../../src/git/tree-files.ts";
import { checkPrd } from "../../src/model/check-prd.ts";
import { createBench, goodAnalysis, goodTasks } from "../support/autopilot.ts";
import { configWith } from "../support/config.ts";
import { createGitProject } from "../support/git.ts";
import { anthropic } from "../support/model-server/anthropic.ts";
import { startModelServer } from "../support/model-server/server.ts";

const requirements = {
  ...{ title: "Login form", overview: "It keeps its text.", requirements: ["It keeps its text"] },
  ...{ goals: [], non_goals: [], success_metrics: [] },
};
const config = configWith({});
const { autopilot: settings } = config;
const report = `# Review\n\nThe login form loses\nits text. ${"It is long. ".repeat(5)}\n`;

test("from a report in a commit to the files of a branch, over the wire, and the report is not found again", async () => {
  await using project = await createGitProject({
    "reports/weekly-20260120.md": report,
    "AGENTS.md": "# Agents\nUse tabs.\n",
    "src/login.ts": "",
  });
  const says = [goodAnalysis(), requirements, goodTasks(8)].map((value) => ({
    say: JSON.stringify(value),
  }));
  await using server = await startModelServer(anthropic, { other: says });
  const api = { provider: "anthropic", baseUrl: `${server.url}/v1`, key: "k", model: "m" } as const;
  const bench = createBench(createApiModel(api));
  const repo = await project.open();
  const look = async () => {
    const files = await treeFiles(repo, "refs/heads/main");
    const dates = await commitDates(repo, {
      commit: "refs/heads/main",
      folder: settings.reports_dir,
    });
    const records = await readRunRecords(files);
    return { files, settings, commitDates: dates, records, digests: new Set<string>() };
  };
  const found = await discoverReport(await look());
  const { files } = await look();
  const facts = await readProjectFacts(files, { paths: await listTree(repo, "HEAD"), config });
  const analyzed = await analyze(bench, { report: found.report, past: [], project: facts });
  const work = await planWork(bench, {
    ...{ analyzed, report: found.report, project: facts, settings },
    ...{ taken: ["main", "ralph/login-form"], document: "with" },
  });
  expect(work.branch).toBe("ralph/login-form-2");
  expect(work.files.map(({ path }) => path)).toEqual([
    ".ralph/autopilot/analysis.json",
    "tasks/prd-login-form-2.md",
    ".ralph/prd.json",
  ]);
  expect(checkPrd(JSON.parse(work.files.at(-1)?.text ?? "")).findings).toEqual([]);
  expect(work.trace.source).toMatchObject({
    path: "reports/weekly-20260120.md",
    lines: { first: 3, last: 4 },
  });
  expect(work.usage.output_tokens).toBeGreaterThan(0);
  expect(server.asks.every(({ prompt }) => prompt.includes("Use tabs."))).toBe(true);

  const runId = "20260125-143052-a7b3c9";
  const record = autopilotRecord({
    ...{ runId, startedAt: "2026-01-25T14:30:52.000Z", phase: "executing" },
    facts: { report_path: found.report.path, report_sha256: found.report.sha256 },
  });
  project.write(recordPath(runId), renderRecord(record));
  project.git("add", "-A");
  project.git("commit", "-qm", "record");
  await expect(discoverReport(await look())).rejects.toThrow("was worked on before");
});

test("without a document the criteria of the analysis are the requirements", async () => {
  const says = [goodAnalysis(), goodTasks(2)].map((value) => ({ say: JSON.stringify(value) }));
  await using server = await startModelServer(anthropic, { other: says });
  const api = { provider: "anthropic", baseUrl: `${server.url}/v1`, key: "k", model: "m" } as const;
  const bench = createBench(createApiModel(api));
  const facts = { paths: [], agentsMd: "", readme: "", gates: [] };
  const given = {
    path: "reports/a.md",
    text: report,
    sha256: "0".repeat(64),
    kind: "file",
  } as const;
  const analyzed = await analyze(bench, { report: given, past: [], project: facts });
  const work = await planWork(bench, {
    ...{ analyzed, report: given, project: facts, settings, taken: [] },
    ...{ branch: "feature/x", range: { min: 2, max: 2 }, document: "without" },
  });
  expect(work.branch).toBe("feature/x");
  expect(work.files.map(({ path }) => path)).toEqual([
    ".ralph/autopilot/analysis.json",
    ".ralph/prd.json",
  ]);
  expect(work.trace.requirements).toEqual([
    { id: "FR-1", text: "Run `npm test` - exits with code 0" },
  ]);
});
