import { execFileSync } from "node:child_process";
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import {
  commitDates,
  type Discovery,
  discoverReports,
  namedReport,
  noReport,
} from "../../../src/autopilot/reports/discover-report.ts";
import { treeFiles } from "../../../src/git/trees/tree-files.ts";
import { sha256 } from "../../../src/schema/session-files/checksum.ts";
import type { RunRecordFile } from "../../../src/schema/session-files/run-record.ts";
import { createGitProject } from "../../support/project/git.ts";
import { createTestSystem, type TestSystem } from "../../support/project/system.ts";

const long = (text: string) => `${text} ${"It is long enough to be a report. ".repeat(3)}`;

const settings = {
  reports_dir: "./reports",
  report_patterns: ["*.md", "*.txt", "*.json", "*.html"],
};

const discovery = ({ files, root }: TestSystem, more: Partial<Discovery> = {}): Discovery => ({
  files: files(root),
  settings,
  commitDates: new Map(),
  records: [],
  digests: new Set(),
  ...more,
});

async function discoverReport(given: Discovery) {
  const { reports, skipped } = await discoverReports(given, 1);
  const [report] = reports;
  if (!report) throw noReport(given.settings.reports_dir, skipped);
  return { report, skipped };
}

async function write(system: TestSystem, files: Record<string, string | Buffer>) {
  for (const [name, text] of Object.entries(files)) {
    await system.files(system.root).write(`reports/${name}`, text);
  }
}

const record = (more: Partial<RunRecordFile>): RunRecordFile => ({
  run_id: "20260125-143052-a7b3c9",
  started_at: "2026-01-25T14:30:52Z",
  status: "completed",
  ...more,
});

test("the date in the name decides, then the last commit, and of equal dates the last name", async () => {
  await using system = await createTestSystem();
  await write(system, {
    "old-20250101.md": long("old"),
    "new-2026-01-20.md": long("new"),
    "committed.txt": long("committed"),
  });
  const dates = new Map([["reports/committed.txt", Date.parse("2026-01-21T00:00:00Z")]]);
  const first = await discoverReport(discovery(system, { commitDates: dates }));
  expect(first.report).toMatchObject({ path: "reports/committed.txt", kind: "file" });
  const digests = new Set([first.report.sha256]);
  const second = await discoverReport(discovery(system, { commitDates: dates, digests }));
  expect(second.report.path).toBe("reports/new-2026-01-20.md");
  expect(second.skipped).toEqual([
    { path: "reports/committed.txt", reason: "was worked on before" },
  ]);
});

test("a file that is not a report is skipped with a reason, and never opened", async () => {
  await using system = await createTestSystem();
  await write(system, {
    "big-20260130.md": "x".repeat(10_000_000),
    "binary-20260129.md": Buffer.from([1, 0, 2, ...Buffer.from(long("x"))]),
    "latin-20260128.txt": Buffer.from([0xe9, ...Buffer.from(long("x"))]),
    "short-20260127.md": "Too short.",
    "empty-20260126.md": " \n",
    "image-20260125.png": long("not listed"),
    "good-20250101.md": long("good"),
  });
  const folder = join(system.root, "reports");
  writeFileSync(join(system.root, "secret.txt"), long("secret"));
  symlinkSync("../secret.txt", join(folder, "link-20260202.md"));
  execFileSync("mkfifo", [join(folder, "pipe-20260201.md")]);
  mkdirSync(join(folder, "folder-20260131.md"));
  const { report, skipped } = await discoverReport(discovery(system));
  expect(report.path).toBe("reports/good-20250101.md");
  expect(skipped).toEqual([
    { path: "reports/link-20260202.md", reason: "is a symbolic link, or below one" },
    { path: "reports/pipe-20260201.md", reason: "is not a regular file" },
    { path: "reports/folder-20260131.md", reason: "is a folder" },
    { path: "reports/big-20260130.md", reason: "has 10000000 bytes, more than 1000000" },
    { path: "reports/binary-20260129.md", reason: "is not text (UTF-8)" },
    { path: "reports/latin-20260128.txt", reason: "is not text (UTF-8)" },
    { path: "reports/short-20260127.md", reason: "has 10 characters, fewer than 50" },
    { path: "reports/empty-20260126.md", reason: "is empty" },
  ]);
});

test("a record identifies a report by its digest under any name, an older record by its path", async () => {
  await using system = await createTestSystem();
  await write(system, { "a.md": long("a"), "b.md": long("b"), "latest.md": long("new text") });
  const records = [
    record({ report_sha256: sha256(long("a")), report_path: "reports/gone.md" }),
    record({ report_sha256: sha256("former text"), report_path: "reports/latest.md" }),
    record({ report_path: "./reports/b.md" }),
  ];
  const { report } = await discoverReport(discovery(system, { records }));
  expect(report.path).toBe("reports/latest.md");
});

test("without a report the run ends with exit 10 and lists the skipped files", async () => {
  await using system = await createTestSystem();
  await expect(discoverReport(discovery(system))).rejects.toMatchObject({
    exitCode: 10,
    message: "There is no new report in ./reports.",
  });
  await write(system, { "a.md": "short" });
  await expect(discoverReport(discovery(system))).rejects.toThrow("reports/a.md has 5 characters");
});

test("a folder of reports that is a link is refused with exit 10", async () => {
  await using system = await createTestSystem();
  await system.files(system.root).write("elsewhere/a-20260101.md", long("a"));
  symlinkSync("elsewhere", join(system.root, "reports"));
  await expect(discoverReport(discovery(system))).rejects.toMatchObject({ exitCode: 10 });
});

test.each(["../etc/passwd", "/etc/passwd", "reports/none.md", "reports"])(
  "a report named %s is refused with exit 10",
  async (path) => {
    await using system = await createTestSystem();
    await write(system, { "a.md": long("a") });
    await expect(namedReport(system.files(system.root), path)).rejects.toMatchObject({
      exitCode: 10,
    });
  },
);

test("in a commit the date of a file is its last change, even in a project below the repository's root", async () => {
  await using project = await createGitProject({
    "app/reports/a.md": long("a"),
    "app/reports/ä b.md": long("b"),
  });
  project.write("app/reports/a.md", long("changed"));
  project.git("commit", "-qam", "more");
  const repo = await project.open({ directory: `${project.root}/app` });
  const dates = await commitDates(repo, { commit: "HEAD", folder: "./reports" });
  const lastOf = (path: string) =>
    Number(project.git("log", "-1", "--format=%ct", "--", path)) * 1000;
  expect(dates).toEqual(
    new Map(["reports/a.md", "reports/ä b.md"].map((path) => [path, lastOf(`app/${path}`)])),
  );
  const files = await treeFiles(repo, "HEAD");
  const { report } = await discoverReport({
    files,
    settings,
    commitDates: dates,
    records: [],
    digests: new Set(),
  });
  expect(report.path).toMatch(/^reports\//);
});

test("several reports are the newest unprocessed ones, up to the requested number", async () => {
  await using system = await createTestSystem();
  await write(system, {
    "a-20260101.md": long("a"),
    "b-20260102.md": long("b"),
    "c-20260103.md": "short",
    "d-20260104.md": long("d"),
  });
  const digests = new Set([sha256(long("d"))]);
  const { reports, skipped } = await discoverReports(discovery(system, { digests }), 1);
  expect(reports.map(({ path }) => path)).toEqual(["reports/b-20260102.md"]);
  expect(skipped.map(({ path }) => path)).toEqual([
    "reports/d-20260104.md",
    "reports/c-20260103.md",
  ]);
  const all = await discoverReports(discovery(system), 9);
  expect(all.reports.map(({ path }) => path)).toEqual(
    ["d-20260104.md", "b-20260102.md", "a-20260101.md"].map((name) => `reports/${name}`),
  );
});
