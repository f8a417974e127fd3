import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { renderWorkflow } from "../../src/scaffold/write/render-workflow.ts";
import { blocksOf } from "../docs/pages.ts";

const program = process.env.ZIZMOR ?? "zizmor";
const isInstalled = spawnSync(program, ["--version"]).status === 0;
if (!isInstalled)
  console.warn("zizmor is not installed (`pip install zizmor`): its tests are skipped.");

/** What zizmor finds of level medium or higher; empty when it finds nothing. */
function findings(...paths: string[]): string[] {
  const options = ["--offline", "--no-progress", "--format", "json", "--no-exit-codes"];
  const policy = ["--min-severity", "medium", "--config", ".github/zizmor.yml"];
  const report = execFileSync(program, [...options, ...policy, ...paths], {
    stdio: ["ignore", "pipe", "ignore"],
  });
  const found = JSON.parse(report.toString()) as { ident: string; ignored: boolean }[];
  return found.filter(({ ignored }) => !ignored).map(({ ident }) => ident);
}

test.skipIf(!isInstalled)("zizmor finds nothing in the action and its workflows", () => {
  expect(findings("action.yml", ".github")).toEqual([]);
});

test.skipIf(!isInstalled)("zizmor finds nothing in a workflow that users are given", () => {
  const given = [
    renderWorkflow({ tools: ["pipx install uv"], prefix: "apps/a", config: "r.yml" }),
    ...blocksOf("yaml").flatMap(({ code }) => (parse(code).jobs ? [code] : [])),
  ];
  const folder = mkdtempSync(join(tmpdir(), "ralph-zizmor-"));
  try {
    const workflows = join(folder, ".github/workflows");
    mkdirSync(workflows, { recursive: true });
    for (const [index, code] of given.entries())
      writeFileSync(join(workflows, `${index}.yml`), code);
    expect(given.length).toBeGreaterThan(3);
    expect(findings(folder)).toEqual([]);
    writeFileSync(
      join(workflows, "bad.yml"),
      "on: push\njobs: {a: {uses: x/y/.github/workflows/z.yml@main}}\n",
    );
    expect(findings(folder)).toContain("unpinned-uses");
  } finally {
    rmSync(folder, { recursive: true });
  }
});
