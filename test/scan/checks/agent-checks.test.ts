import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import { agentCall } from "../../../src/scan/checks/agent-call.ts";
import { agents } from "../../../src/scan/checks/agents.ts";
import { credentials } from "../../../src/scan/checks/credentials.ts";
import { task } from "../../support/builders/session.ts";
import { createProject, type ProjectOptions } from "../../support/project/project.ts";
import { runCheck } from "./run-check.ts";

const one = { tasks: [task("T-001")] };
const claude = { ...one, config: { agents: {} } };

test("agent programs that are there pass, by role", async () => {
  await using project = await createProject(one);
  const found = await runCheck(project, agents);
  expect(found.status).toBe("pass");
  expect(found.message).toMatch(/^implementation, test_writing, review: .*\/bin\/agent$/);
});

test("the version of a known program is shown", async () => {
  await using project = await createProject(claude);
  const program = join(project.folder, "bin/claude");
  writeFileSync(program, "#!/bin/sh\necho 'claude 2.1.329 (x)'\n", { mode: 0o755 });
  const env = { PATH: `${dirname(program)}:${project.system.env.PATH}` };
  const found = await runCheck(project, agents, { env });
  expect(found).toMatchObject({ status: "pass", version: "2.1.329", path: program });
});

test("a missing program is an error that says how to get it, and is not called", async () => {
  await using project = await createProject(claude);
  const env = { RALPH_CLAUDE_CMD: "/nowhere/claude" };
  expect(await runCheck(project, agents, { env })).toMatchObject({
    status: "error",
    message: "Missing or not executable: `/nowhere/claude` (driver claude).",
    fixes: [{ install: "claude" }],
  });
  expect(await runCheck(project, agentCall, { env })).toMatchObject({
    status: "skipped",
    message: "needs the agent programs",
  });
});

describe("credentials", () => {
  test.each<[string, Record<string, string>, string, RegExp]>([
    ["an API key", { ANTHROPIC_API_KEY: "sk-x" }, "pass", /API key \(ANTHROPIC_API_KEY\)$/],
    ["a subscription", { CLAUDE_CODE_OAUTH_TOKEN: "x" }, "pass", /subscription \(CLAUDE_CODE/],
    ["a gateway", { ANTHROPIC_AUTH_TOKEN: "x" }, "pass", /gateway token/],
    [
      "Bedrock with keys",
      { CLAUDE_CODE_USE_BEDROCK: "1", AWS_ACCESS_KEY_ID: "x" },
      "pass",
      /Amazon Bedrock/,
    ],
    [
      "Bedrock by profile",
      { CLAUDE_CODE_USE_BEDROCK: "1", AWS_ACCESS_KEY_ID: "" },
      "warning",
      /^claude: Amazon Bedrock .*, but the sandbox hides ~\/\.aws/,
    ],
    ["Vertex by gcloud", { CLAUDE_CODE_USE_VERTEX: "1" }, "warning", /sandbox hides .*gcloud/],
    [
      "two at once",
      { ANTHROPIC_API_KEY: "x", CLAUDE_CODE_OAUTH_TOKEN: "y" },
      "warning",
      /ANTHROPIC_API_KEY\) is used, although CLAUDE_CODE_OAUTH_TOKEN/,
    ],
  ])("%s is shown by kind and name", async (_, env, status, says) => {
    await using project = await createProject({ ...claude, sandbox: { mode: "auto" } });
    const found = await runCheck(project, credentials, { env });
    expect(found).toMatchObject({ status, message: expect.stringMatching(says) });
  });

  test("nothing is hidden where the sandbox is off", async () => {
    await using project = await createProject(claude);
    const env = { CLAUDE_CODE_USE_BEDROCK: "1" };
    expect(await runCheck(project, credentials, { env })).toMatchObject({ status: "pass" });
  });

  test.skipIf(process.platform === "darwin")(
    "none is a warning, a login of its own is enough",
    async () => {
      await using project = await createProject(claude);
      expect(await runCheck(project, credentials)).toMatchObject({
        status: "warning",
        remedy: expect.stringContaining("Set ANTHROPIC_API_KEY"),
      });
      mkdirSync(join(project.folder, "home/.claude"));
      writeFileSync(join(project.folder, "home/.claude/.credentials.json"), "{}");
      expect(await runCheck(project, credentials)).toMatchObject({
        status: "pass",
        message: "claude: its own login (~/.claude/.credentials.json)",
      });
    },
  );

  test("a program of the project's own brings its own", async () => {
    await using project = await createProject(one);
    expect(await runCheck(project, credentials)).toMatchObject({ status: "pass" });
  });
});

describe("the call", () => {
  const callOf = async (options: ProjectOptions) => {
    await using project = await createProject({ ...one, ...options });
    const found = await runCheck(project, agentCall);
    return { ...found, left: project.git("status", "--porcelain") };
  };

  test("a program that answers as asked passes, called once for all roles", async () => {
    const { status, message, left } = await callOf({ agent: "claim" });
    expect(status).toBe("pass");
    expect(message).toMatch(/^`.*\/bin\/agent` answered, \d+ ms$/);
    expect(left).toBe("");
  });

  test("each model is called", async () => {
    await using project = await createProject({ ...one, agent: "claim" });
    const config = JSON.parse(project.read(".ralph/ralph.yml"));
    config.agents.review.model = "other";
    project.write(".ralph/ralph.yml", JSON.stringify(config));
    const { message } = await runCheck(project, agentCall);
    expect(message).toMatch(/agent` answered, .*\n.*agent` with other answered, /);
  });

  test("the answers of several programs are all shown, and the worst one counts", async () => {
    await using project = await createProject({ ...one, agent: "claim" });
    const config = JSON.parse(project.read(".ralph/ralph.yml"));
    config.agents.review = { driver: "command", command: "sh", args: ["-c", "exit 9"] };
    project.write(".ralph/ralph.yml", JSON.stringify(config));
    const { status, message, remedy } = await runCheck(project, agentCall);
    expect(status).toBe("error");
    expect(message).toMatch(/agent` answered, .*\n`sh`: .*exit code 9/);
    expect(remedy).toBeTruthy();
  });

  test.each<[string, string, string, RegExp]>([
    ["prints its prompt back", 'printf "%s" "$prompt"', "warning", /without the requested block/],
    ["says something else", "echo hello", "warning", /without the requested block/],
    ["fails", "echo no login >&2; exit 1", "error", /no login/],
    ["is limited", "echo 'usage limit reached' >&2; exit 1", "warning", /usage limit reached/],
  ])("a program that %s does not pass", async (_, agent, status, says) => {
    const found = await callOf({ agent });
    expect(found).toMatchObject({ status, message: expect.stringMatching(says) });
    expect(found.remedy).toBeTruthy();
  });

  test("what only the user can mend is said once", async () => {
    await using project = await createProject(claude);
    const program = join(project.folder, "bin/claude");
    writeFileSync(program, "#!/bin/sh\necho 'error: unknown option --verbose' >&2; exit 1\n", {
      mode: 0o755,
    });
    const env = { PATH: `${dirname(program)}:${project.system.env.PATH}` };
    const { status, message, remedy } = await runCheck(project, agentCall, { env });
    expect({ status, remedy }).toEqual({ status: "error", remedy: undefined });
    expect(message).toMatch(/unknown option --verbose\. Install a newer Claude Code/);
  });

  test("a program that hangs is ended", async () => {
    const found = await callOf({ agent: "sleep 60", limits: { timeoutMs: 300 } });
    expect(found.status).toBe("error");
  });

  test("secrets of the environment are in no message", async () => {
    await using project = await createProject({ ...one, agent: "echo pw-12345678 >&2; exit 1" });
    const found = await runCheck(project, agentCall, { env: { DB_PASSWORD: "pw-12345678" } });
    expect(found.message).toContain("***");
    expect(found.message).not.toContain("12345678");
  });

  test("a cancel skips it", async () => {
    await using project = await createProject(one);
    const signal = AbortSignal.abort();
    expect(await runCheck(project, agentCall, { signal })).toMatchObject({ status: "skipped" });
  });
});
