import { describe, expect, test } from "vitest";
import type { Turn } from "../support/model-server/script.ts";
import {
  agents,
  claude,
  createRealProject,
  programs,
  type RealAgent,
  type RealProjectOptions,
} from "./real-agent.ts";

/** One call, so that its failure is what the session ends with; a limit is not waited for. */
const once: RealProjectOptions = {
  config: { breaker: { max_consecutive_failures: 1 }, limits: { max_runtime: 50 } },
};

/** A project whose model does nothing but this, and how its session ends. */
async function fail(agent: RealAgent, turn: Turn, options: RealProjectOptions = {}) {
  await using project = await createRealProject(agent, playing(turn), { ...once, ...options });
  return await endOf(project);
}

const playing = (turn: Turn) => ({ implementation: [turn], other: [turn] });

async function endOf(project: Awaited<ReturnType<typeof createRealProject>>) {
  const { exitCode, facts, state, stdout, stderr } = await project.run();
  const outcome = facts("agent_end")[0]?.outcome;
  expect(facts("agent_end")).toHaveLength(1);
  expect(facts("task_passed")).toEqual([]);
  expect(`${stdout}${stderr}`).not.toMatch(/^\s+at /m);
  expect(project.git("status", "--porcelain")).toBe("");
  const kind = outcome?.kind === "failed" ? outcome.class : outcome?.kind;
  return { kind, exitCode, message: state.end?.message, asks: project.server.asks.length };
}

const refuse = (status: number, message: string): Turn => ({
  refuse: { status, message, headers: { "retry-after": "1" } },
});

/** What the provider does, and what we make of it: the class, a part of the message, the exit code. */
const refusals: [string, Turn, { kind: string; message: RegExp; exitCode: number }][] = [
  [
    "does not accept the key",
    refuse(401, "Incorrect API key provided"),
    { kind: "configuration", message: /key/i, exitCode: 1 },
  ],
  [
    "does not know the model",
    refuse(404, "The model nope does not exist or you do not have access to it"),
    { kind: "configuration", message: /model/, exitCode: 1 },
  ],
  [
    "is asked too often",
    refuse(429, "slow down"),
    { kind: "limited", message: /429|slow down|limit/i, exitCode: 23 },
  ],
  [
    "has an error",
    refuse(500, "Internal server error"),
    { kind: "infrastructure", message: /500|high demand|internal server error/i, exitCode: 8 },
  ],
  [
    "is overloaded",
    refuse(529, "Overloaded"),
    { kind: "infrastructure", message: /529|overloaded|high demand/i, exitCode: 8 },
  ],
  [
    "finds the prompt too long",
    refuse(400, "prompt is too long: 250000 tokens > 200000 maximum"),
    { kind: "agent", message: /prompt is too long/i, exitCode: 8 },
  ],
  [
    "breaks off in the middle of a sentence",
    { say: "I have written", breaks: "cut" },
    { kind: "infrastructure", message: /connection|stream|terminated/i, exitCode: 8 },
  ],
];

describe.skipIf(programs === "").each(agents)("the real $driver", (agent) => {
  test.each(refusals)("whose provider %s", async (_title, turn, { kind, message, exitCode }) => {
    const ended = await fail(agent, turn);
    expect(ended).toMatchObject({ kind, exitCode });
    expect(ended.message).toMatch(message);
    // Its own retries are few: ours are journaled, and count for the breaker.
    expect(ended.asks).toBeLessThanOrEqual(12);
  });

  test("whose provider wants to be paid", async () => {
    const ended = await fail(agent, agent.unpaid);
    expect(ended).toMatchObject({ kind: "configuration", exitCode: 1 });
    expect(ended.message).toMatch(/credit balance|billing|quota/i);
  });

  test("whose provider does not answer says so within half a minute", async () => {
    const options = { ...once, limits: { timeoutMs: 30_000 } };
    await using project = await createRealProject(agent, {}, options);
    await project.server[Symbol.asyncDispose]();
    const ended = await endOf(project);
    expect(ended).toMatchObject({ kind: "infrastructure", exitCode: 8, asks: 0 });
    expect(ended.message).toMatch(/connect|network|fetch failed/i);
  });

  test("whose provider falls silent is ended when we have waited long enough", async () => {
    const turn: Turn = { say: "I have written", breaks: "hang" };
    const ended = await fail(agent, turn, { limits: { idleMs: 4000 } });
    expect(ended).toMatchObject({ kind: "agent", exitCode: 8 });
    expect(ended.message).toContain("silent for too long");
  });

  test("which talks for ever is ended when its time is over", async () => {
    // Gemini itself ends a conversation in which one call comes back five times.
    const turn: Turn = { say: "On and on.", do: [{ run: "sleep 1" }] };
    const ended = await fail(agent, turn, { limits: { timeoutMs: 3000 } });
    expect(ended).toMatchObject({ kind: "agent", exitCode: 8 });
    expect(ended.message).toContain("out of time");
  });

  test("which is given an option it does not know", async () => {
    const settings = { args: ["--no-such-option"] };
    const ended = await fail(agent, { say: "{done}" }, { settings });
    expect(ended).toMatchObject({ kind: "configuration", exitCode: 1, asks: 0 });
    expect(ended.message).toMatch(/such-option.*`agents\.<role>\.args`/);
  });

  test("which asks a question differs from one that works, and its question is shown", async () => {
    const config = { breaker: { max_consecutive_failures: 1 } };
    const script = playing({ say: "Tabs or spaces?" });
    await using project = await createRealProject(agent, script, { config });
    const { exitCode, state, stdout } = await project.run();
    expect(exitCode).toBe(3);
    expect(state.tasks[0]?.message).toMatch(/^No change in 3 iterations.*<task-done>/);
    expect(stdout.match(/claimed nothing; its last words: Tabs or spaces\?/g)).toHaveLength(1);
  });

  test("which is not installed ends the command before anything is spent", async () => {
    await using project = await createRealProject(agent, {});
    Object.assign(project.system.env, { PATH: "/usr/bin:/bin" });
    const { exitCode, stderr } = await project.ralph("run");
    expect(exitCode).toBe(1);
    expect(stderr).toContain(`\`${agent.driver}\``);
    expect(stderr).toMatch(/npm install/);
    expect(project.server.asks).toEqual([]);
  });
});

describe.skipIf(programs === "")("the real claude", () => {
  test("which has used up its turns", async () => {
    const settings = { args: ["--max-turns", "2"] };
    // Gemini itself ends a conversation in which one call comes back five times.
    const turn: Turn = { say: "On and on.", do: [{ run: "sleep 1" }] };
    const ended = await fail(claude, turn, { settings });
    expect(ended).toMatchObject({ kind: "agent", exitCode: 8 });
    expect(ended.message).toContain("maximum number of turns (2)");
  });

  test("which has no key and no login", async () => {
    await using project = await createRealProject(claude, playing({ say: "{done}" }), once);
    Object.assign(project.system.env, { ANTHROPIC_API_KEY: "" });
    const ended = await endOf(project);
    expect(ended).toMatchObject({ kind: "configuration", exitCode: 1, asks: 0 });
    expect(ended.message).toMatch(/not logged in.*`claude \/login`/i);
  });

  test("which is denied what it needs claims to be done: nothing has changed, and the tool is named", async () => {
    const script = {
      implementation: [{ do: [{ write: "src/a.txt", text: "a" }] }, { say: "Done.\n{done}" }],
    } as const;
    const settings = { allowed_tools: ["Read"] };
    await using project = await createRealProject(claude, script, { ...once, settings });
    const { exitCode, state, stdout } = await project.run();
    expect(exitCode).toBe(3);
    expect(state.tasks[0]?.message).toContain("Nothing has changed");
    expect(stdout).toContain("was denied Write; add what it needs to `agents.implementation");
  });
});
