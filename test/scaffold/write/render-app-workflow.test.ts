import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { renderAppWorkflow } from "../../../src/scaffold/write/render-workflow.ts";
import { lintWorkflow } from "../../support/workflows/workflow-lint.ts";

const called = parse(readFileSync(".github/workflows/autopilot.yml", "utf8"));

test.each([[[]], [["corepack enable", "pipx install uv"]]])(
  "the App's workflow is without fault, with the tools %j",
  async (tools) => {
    expect(await lintWorkflow(renderAppWorkflow({ tools }))).toEqual([]);
  },
);

test("the tools a project needs are what makes a fresh machine ready", () => {
  const text = renderAppWorkflow({ tools: ["corepack enable", "pipx install uv"] });
  expect(parse(text).jobs.ralph.with.setup).toBe("corepack enable\npipx install uv\n");
});

test("its title names the run, and its inputs are those the App sends", () => {
  const { "run-name": title, on } = parse(renderAppWorkflow({ tools: [] }));
  expect(title).toMatch(/^ralph-run:.+inputs\.run-id/);
  expect(Object.keys(on.workflow_dispatch.inputs).toSorted()).toEqual(
    ["claim", "command", "issue-number", "orders", "publisher", "resume-from", "run-id"].toSorted(),
  );
});

test("it grants what the jobs of the called workflow ask for, and nothing else", () => {
  const { permissions, jobs } = parse(renderAppWorkflow({ tools: [] }));
  expect(permissions).toEqual({});
  const asked = new Map<string, string>();
  for (const job of Object.values<{ permissions: Record<string, string> }>(called.jobs)) {
    for (const [scope, level] of Object.entries(job.permissions)) {
      if (asked.get(scope) !== "write") asked.set(scope, level);
    }
  }
  expect(jobs.ralph.permissions).toEqual(Object.fromEntries(asked));
});

test("it passes only inputs of the called workflow", () => {
  const { with: given } = parse(renderAppWorkflow({ tools: ["corepack enable"] })).jobs.ralph;
  expect(Object.keys(called.on.workflow_call.inputs)).toEqual(
    expect.arrayContaining(Object.keys(given)),
  );
});

test("the secrets it hands over are secrets of the called workflow", () => {
  const { secrets } = parse(renderAppWorkflow({ tools: [] })).jobs.ralph;
  expect(Object.keys(called.on.workflow_call.secrets)).toEqual(
    expect.arrayContaining(Object.keys(secrets)),
  );
});
