import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { thorough } from "../../setup/sampled.ts";
import { createActionProject } from "../../support/action/project.ts";
import { innerSteps, onlyJob, outputsOf, stepWorkflow } from "../../support/action/workflow.ts";
import { task } from "../../support/builders/session.ts";
import { startNpmRegistry } from "../../support/project/npm-registry.ts";

const codex = {
  name: "@openai/codex",
  version: "1.2.3",
  manifest: { bin: { codex: "codex.sh" } },
  files: { "codex.sh": "#!/bin/sh\necho codex 1.2.3\n" },
};
const role = { driver: "codex" };

/** A job whose agents are the program `codex`, which it finds at the registry only. */
async function runJob(given: Record<string, string>, packages = [codex]) {
  await using registry = await startNpmRegistry(packages);
  await using github = await createActionProject({
    tasks: [task("T-001")],
    agents: { implementation: role, test_writing: role, review: role },
  });
  const env = {
    npm_config_registry: registry.url,
    npm_config_cache: join(github.project.folder, "cache"),
    npm_config_fetch_retries: "0",
    npm_config_update_notifier: "false",
  };
  await using result = await github.run(stepWorkflow(given), { env });
  return { job: onlyJob(result), seen: registry.seen };
}

let installed: Awaited<ReturnType<typeof runJob>>["job"];
beforeAll(async () => {
  ({ job: installed } = await runJob({ "agent-version": "1.2.3" }));
});

test("a missing program is installed in the step without keys, and the duration is logged", () => {
  expect(installed.log).toContainEqual(
    expect.stringMatching(/^Installed codex 1\.2\.3 \(\d+\.\d s\)\.$/),
  );
  expect(innerSteps(installed)).toMatchObject({
    Prepare: "success",
    "Work through the tasks": "failure",
  });
  expect(installed.annotations[0]?.message).toContain("no model key for codex");
});

test("the program is installed outside of the temporary folder, which the sandbox hides", () => {
  const inner = installed.steps.find(({ id }) => id === "ralph")?.steps ?? [];
  const path = inner.find(({ id }) => id === "prepare")?.outputs.path ?? "";
  expect(path).toMatch(/\/tools\/ralph-agents\/codex\/node_modules\/\.bin:$/);
  expect(path.startsWith(installed.temp)).toBe(false);
});

thorough("an unknown version stops the job", async () => {
  const { job } = await runJob({ "agent-version": "9.9.9" });
  expect(innerSteps(job)).toEqual({
    ...{ "Find Node 24": "success", Begin: "success", Prepare: "failure" },
  });
  expect(outputsOf(job)).toMatchObject({ "stop-reason": "config", "exit-code": "1" });
  expect(job.annotations[0]?.message).toMatch(/@openai\/codex@9\.9\.9[\s\S]*install the program/);
});

thorough("the user's own program is used, and nothing is installed", async () => {
  const { job, seen } = await runJob({ "agent-command": "sh -c 'exit 1'", "dry-run": "true" });
  expect(innerSteps(job)).toMatchObject({ Prepare: "success" });
  expect(seen).toEqual([]);
});
