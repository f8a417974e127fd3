import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { Ask } from "../../../src/platform/system.ts";
import { githubToken } from "../../../src/scan/checks/credentials.ts";
import { exposure } from "../../../src/scan/checks/exposure.ts";
import { disk, node, state } from "../../../src/scan/checks/machine.ts";
import { repository } from "../../../src/scan/checks/repository.ts";
import { sandbox } from "../../../src/scan/checks/sandbox.ts";
import { task } from "../../support/builders/session.ts";
import { createProject } from "../../support/project/project.ts";
import { hasBubblewrap } from "../../support/project/sandbox.ts";
import { runCheck } from "./run-check.ts";

const one = { tasks: [task("T-001")] };

test("Node, state directory and disk of this machine pass", async () => {
  await using project = await createProject(one);
  expect(await runCheck(project, node)).toMatchObject({ status: "pass" });
  expect(await runCheck(project, state)).toMatchObject({ status: "pass", path: project.stateDir });
  const found = await runCheck(project, disk);
  expect(found.message).toMatch(/^[\d.]+ [MG]iB free on \//);
});

test.each([
  [50 * 1024, "error", "50 MiB free on /"],
  [500 * 1024, "warning", "500 MiB free on /"],
  [5 * 1024 * 1024, "pass", "5.0 GiB free on /"],
])("%i KiB of room is an answer of its own", async (kibibytes, status, message) => {
  await using project = await createProject(one);
  const stdout = `Filesystem 1024-blocks Used Available Capacity Mounted on\n/dev/x y 1 9 ${kibibytes} 1% /\n`;
  const ask: Ask = async (command) =>
    command.file === "df"
      ? { exitCode: 0, stdout: Buffer.from(stdout), stderr: "" }
      : project.system.ask(command);
  const found = await runCheck({ ...project, system: { ...project.system, ask } }, disk);
  expect(found).toMatchObject({ status, message });
});

test("a state directory that cannot be made is an error", async () => {
  await using project = await createProject(one);
  writeFileSync(join(project.folder, "file"), "");
  const env = { RALPH_STATE_DIR: join(project.folder, "file/state") };
  const { status, message } = await runCheck(project, state, { env });
  expect(status).toBe("error");
  expect(message).toMatch(/^The state directory .*\/file\/state is not writable: E\w+: /);
  expect(await runCheck(project, repository, { env })).toMatchObject({ status: "skipped" });
});

test("a state directory inside the project is a warning", async () => {
  await using project = await createProject(one);
  const env = { RALPH_STATE_DIR: join(project.root, ".state") };
  expect(await runCheck(project, state, { env })).toMatchObject({ status: "warning" });
});

test.each([
  ["github_pat_abc", "a fine-grained personal token"],
  ["ghp_abc", "a classic personal token"],
  [" ghs_abc\n", "an installation token"],
  ["gho_abc", "an OAuth token"],
  ["ghu_abc", "a user token of a GitHub App"],
  ["0123456789", "a token of an unknown kind"],
])("a GitHub token (%s) is shown by kind, never by value", async (token, kind) => {
  await using project = await createProject(one);
  const { status, message } = await runCheck(project, githubToken, { env: { GH_TOKEN: token } });
  expect(status).toBe("pass");
  expect(message).toMatch(new RegExp(`^GH_TOKEN is ${kind}`));
  expect(message).toContain("agents and gates never receive it");
  expect(message).not.toContain(token.trim());
});

test("no GitHub token is fine: a run needs none", async () => {
  await using project = await createProject(one);
  const env = { GITHUB_TOKEN: "", GH_TOKEN: undefined };
  expect(await runCheck(project, githubToken, { env })).toMatchObject({
    status: "pass",
    message: "not set; a run needs no token",
  });
});

test("without the sandbox, lost guarantees and readable secrets are listed by name", async () => {
  await using project = await createProject(one);
  mkdirSync(join(project.folder, "home/.ssh"));
  const env = { DEPLOY_TOKEN: "value-of-it" };
  expect(await runCheck(project, sandbox)).toMatchObject({
    status: "warning",
    message: expect.stringContaining("only detect it"),
  });
  const found = await runCheck(project, exposure, { env });
  expect(found).toMatchObject({
    status: "warning",
    message: "Without the sandbox agents can read: ~/.ssh, DEPLOY_TOKEN",
  });
});

test("a sandbox that is required and missing is an error, and what needs it is skipped", async () => {
  await using project = await createProject({ ...one, sandbox: { mode: "required" } });
  const ask: Ask = async (command) =>
    [command.file, ...command.args].some((word) => /(?:^|\bexec )bwrap\b/.test(word))
      ? { exitCode: 127, stdout: Buffer.from(""), stderr: "" }
      : project.system.ask(command);
  const without = { ...project, system: { ...project.system, ask } };
  expect(await runCheck(without, sandbox)).toMatchObject({
    status: "error",
    message: expect.stringContaining("is not installed"),
    fixes: [{ install: "bwrap" }],
  });
  expect(await runCheck(without, exposure)).toMatchObject({ status: "skipped" });
});

describe.skipIf(!hasBubblewrap)("where bubblewrap works", () => {
  const inside = { ...one, sandbox: { mode: "auto" } };

  test("the sandbox passes, with its version", async () => {
    await using project = await createProject(inside);
    const found = await runCheck(project, sandbox);
    expect(found).toMatchObject({ status: "pass", version: expect.stringMatching(/^\d/) });
  });

  test("only what agents are given is readable, and it is named", async () => {
    await using project = await createProject({
      ...inside,
      agents: { env: ["OUR_MODEL_KEY"] },
      config: { gates: { full: [{ name: "check", cmd: "true" }], env: ["NPM_TOKEN"] } },
    });
    const env = { OUR_MODEL_KEY: "value-of-it", DEPLOY_TOKEN: "another", NPM_TOKEN: "third" };
    expect(await runCheck(project, exposure, { env })).toMatchObject({
      status: "pass",
      message:
        "agents are given OUR_MODEL_KEY; gates, which run what agents wrote, are given NPM_TOKEN",
    });
  });
});
