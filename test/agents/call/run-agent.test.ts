import { describe, expect, test } from "vitest";
import { type AgentRequest, runAgent } from "../../../src/agents/call/run-agent.ts";
import { createClaudeReader } from "../../../src/agents/drivers/claude-stream.ts";
import { createCodexReader } from "../../../src/agents/drivers/codex-stream.ts";
import { command } from "../../../src/agents/drivers/command.ts";
import type { Environment } from "../../../src/platform/system.ts";
import { agentProgram, depsOf, prompt, requestOf, token } from "../../support/contracts/driver.ts";
import { createTestFolder, createTestSystem } from "../../support/project/system.ts";

async function call(behaviour: string, more: Partial<AgentRequest> = {}, deps: object = {}) {
  await using system = await createTestSystem({ env: { GITHUB_TOKEN: "secret", MODEL: "m" } });
  const request = requestOf(system, { driver: command, program: agentProgram(behaviour), ...more });
  return await runAgent({ ...depsOf(system), ...deps }, request);
}

test("the program runs inside what `wrap` makes of it", async () => {
  const wrap = (inner: { file: string; args: readonly string[] }) => ({
    file: "env",
    args: ["WRAPPED=yes", inner.file, ...inner.args],
  });
  const { finalMessage } = await call("environment", {}, { wrap });
  expect(JSON.parse(finalMessage)).toMatchObject({ WRAPPED: "yes" });
});

test("the program sees the allowed environment only", async () => {
  const { finalMessage } = await call("environment", { envNames: ["MODEL"] });
  const seen = JSON.parse(finalMessage);
  expect(seen).toMatchObject({ MODEL: "m", RALPH_ROLE: "implementation", RALPH_TASK_ID: "T-001" });
  expect(seen).not.toHaveProperty("GITHUB_TOKEN");
});

test("secrets and the token are redacted, but the final message keeps the token for reading signals", async () => {
  const redact = (text: string) => text.replaceAll("Do it", "***").replaceAll(token, "***");
  const { finalMessage, output } = await call("echo", {}, { redact });
  expect(finalMessage).toBe(`${prompt}\n`.replace("Do it", "***"));
  expect(output).not.toContain(token);
  expect(output).not.toContain("Do it");
});

test("the output of a failed call is kept with what it said on stderr", async () => {
  const { output, outputBytes, outcome } = await call("exit-1");
  expect(output).toContain("--- stderr ---\nsomething went wrong");
  expect(outputBytes).toBe(0);
  expect(outcome).toHaveProperty("message", expect.stringContaining("something went wrong"));
});

test("a flood is counted whole and kept in part, and the claim at its end is read", async () => {
  const { output, outputBytes, finalMessage } = await call("flood");
  expect(outputBytes).toBeGreaterThan(32 * 1024 * 1024);
  expect(output.length).toBeLessThan(4.1 * 1024 * 1024);
  expect(finalMessage).toContain("<task-done");
});

test("what a program says about its call is cut and redacted", async () => {
  const denials = Array.from({ length: 50 }, (_, at) => ({ tool_name: `Tool${at}` }));
  const result = { type: "result", session_id: `a\u001b[1m secret${"x".repeat(200)}` };
  const event = JSON.stringify({ ...result, result: "ok", permission_denials: denials });
  const redact = (text: string) => text.replaceAll("secret", "***");
  const program = ["echo", event] as const;
  const driver = { ...command, createReader: () => createClaudeReader() };
  const { details } = await call("", { driver, program }, { redact });
  expect(details.session_id).toBe(`a1m***${"x".repeat(94)}`);
  expect(details.denied).toHaveLength(20);
});

test("a child that holds the output does not hold the call", async () => {
  const { outcome } = await call("lingering-child");
  expect(outcome).toEqual({ kind: "answered" });
});

test("a cancel ends the call and is no failure", async () => {
  const { outcome, finalMessage } = await call("hang", {}, { signal: AbortSignal.timeout(300) });
  expect(outcome).toEqual({ kind: "cancelled" });
  expect(finalMessage).toBe("");
});

test("a program of which nothing can come is ended at once, and what it said is believed", async () => {
  const event = { type: "error", message: "Reconnecting... waiting for network (refused)" };
  const script = 'for i in 1 2 3; do echo "$1"; done; sleep 1000';
  const { outcome } = await call("", {
    driver: { ...command, createReader: () => createCodexReader() },
    program: ["bash", "-c", script, "bash", JSON.stringify(event)],
  });
  expect(outcome).toMatchObject({ kind: "failed", class: "infrastructure" });
  expect(outcome).toHaveProperty("message", expect.stringContaining("waiting for network"));
});

describe("a limit notice", () => {
  const notice = "You've hit your limit · resets 9pm (UTC)";
  const say = (text: string, code = 0): Partial<AgentRequest> => ({
    program: ["bash", "-c", `echo "$1"; exit ${code}`, "bash", text],
  });

  test("that is the whole answer of a good end is a limit", async () => {
    const { outcome } = await call("", say(notice));
    expect(outcome).toMatchObject({ kind: "limited", resets_at: "2026-01-25T21:00:00.000Z" });
  });

  test("of a provider's refusal says until when", async () => {
    const message = "[API Error: quota exceeded, status: 429. Please retry in 20.5s.]";
    const event = JSON.stringify({ type: "turn.failed", error: { message } });
    const { outcome } = await call("", {
      ...say(event, 1),
      driver: { ...command, createReader: () => createCodexReader() },
    });
    expect(outcome).toMatchObject({ kind: "limited", resets_at: "2026-01-25T14:31:12.500Z" });
  });

  test("inside an answer is no limit", async () => {
    const { outcome } = await call("", say(`The form shows this text now: ${notice}`));
    expect(outcome).toEqual({ kind: "answered" });
  });

  test("does not hide a program that cannot be started", async () => {
    const { outcome } = await call("", say(notice, 127));
    expect(outcome).toMatchObject({ kind: "failed", class: "configuration" });
  });
});

test("a program whose key stays outside gets no login either (T15)", async () => {
  await using home = await createTestFolder();
  await using system = await createTestSystem({ env: { KEY: "the key", HOME: home.path } });
  await system.files(home.path).write(".own/login.json", '{"token":"t"}');
  const driver = {
    ...{ ...command, home: ".own", login: { file: "login.json" } },
    settings: { file: "settings.json", text: ({ KEY }: Environment) => String(KEY) },
    provider: { url: "https://x.example", addressVariable: "URL", keys: ["KEY"], hosts: () => [] },
  };
  const program = ["sh", "-c", 'cat >/dev/null; cd "$HOME/.own"; cat *'] as const;
  const network = (env: Environment) => ({
    ...{ socket: "", env, refused: () => [] },
    [Symbol.asyncDispose]: async () => undefined,
  });
  const said = async (env: Environment) => {
    const deps = { ...depsOf(system), openNetwork: async () => network(env) };
    return (await runAgent(deps, requestOf(system, { driver, program }))).finalMessage.trim();
  };
  expect(await said({})).toBe('{"token":"t"}the key');
  expect(await said({ KEY: "stand-in" })).toBe("the key");
});
