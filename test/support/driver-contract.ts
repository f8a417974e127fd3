import fc from "fast-check";
import { expect, test } from "vitest";
import type { Driver, Program } from "../../src/agents/driver.ts";
import { type AgentRequest, runAgent } from "../../src/agents/run-agent.ts";
import { readSignal } from "../../src/run/signal.ts";
import type { SupervisedResult } from "../../src/system/system.ts";
import { createTestSystem, type TestSystem } from "./system.ts";

export const token = "ralph-20260125-143052-a7b3c9f2d1e8";
export const prompt = `Do it.\n\nThe session token is:\n${token}\n`;

/** What an agent program has to be made to do, whatever the driver. */
export type Behaviour = "done" | "noop" | "hang" | "limit" | "exit-1" | "killed";

export interface DriverFixtures {
  /** What makes the driver's program behave so; `folder` is the work tree, where a file may be put. */
  programFor: (behaviour: Behaviour, folder: string) => Promise<Program> | Program;
  missing: Program;
}

/** The program of test/fixtures/agents, behaving in one way. */
export const agentProgram = (behaviour: string): Program => [
  process.execPath,
  new URL("../fixtures/agents/agent.mjs", import.meta.url).pathname,
  behaviour,
];

/** An implementation call in the test system's folder; override what matters. */
export function requestOf(
  { root }: TestSystem,
  more: Pick<AgentRequest, "driver" | "program"> & Partial<AgentRequest>,
): AgentRequest {
  return {
    role: "implementation",
    model: undefined,
    allowedTools: [],
    readOnly: false,
    timeoutMs: 20_000,
    prompt,
    cwd: root,
    identity: { taskId: "T-001", attempt: 1, sessionDir: root },
    envNames: [],
    ...more,
  };
}

export const depsOf = (system: TestSystem) => ({
  system,
  wrap: <Command>(command: Command) => command,
  redact: (text: string) => text,
  token,
});

const ended = (more: Partial<SupervisedResult> = {}): SupervisedResult => ({
  end: { kind: "exited", code: 0 },
  stdout: "",
  stderr: "",
  stdoutBytes: 0,
  ms: 1,
  lingering: 0,
  ...more,
});

/** What every driver must do (F27-F29, T48). A driver's test file is one call to this, plus its own extras. */
export function testDriver(driver: Driver, { programFor, missing }: DriverFixtures): void {
  const call = async (behaviour: Behaviour, more: Partial<AgentRequest> = {}) => {
    await using system = await createTestSystem();
    const program = await programFor(behaviour, system.root);
    const request = requestOf(system, { driver, program, ...more });
    const result = await runAgent(depsOf(system), request);
    const written = await system.files(system.root).list("src");
    return { ...result, written };
  };

  test("gives the prompt on stdin and hands back the final message with its signal", async () => {
    const { outcome, finalMessage, written } = await call("done");
    expect(outcome).toEqual({ kind: "answered" });
    expect(readSignal(finalMessage, { role: "implementation", token })).toMatchObject({
      kind: "valid",
    });
    expect(written).toEqual(["T-001.txt"]);
  });

  test("takes silence with a good end for an empty answer", async () => {
    const { outcome, finalMessage } = await call("noop");
    expect(outcome).toEqual({ kind: "answered" });
    expect(finalMessage.trim()).toBe("");
  });

  test("tells a non-zero exit as a failure of the agent", async () => {
    const { outcome, finalMessage } = await call("exit-1");
    expect(outcome).toMatchObject({ kind: "failed", class: "agent" });
    expect(outcome).toHaveProperty("message", expect.stringContaining("exit code 1"));
    expect(finalMessage).toBe("");
  });

  test("tells a kill that was not ours as a failure of the infrastructure", async () => {
    const { outcome } = await call("killed");
    expect(outcome).toMatchObject({ kind: "failed", class: "infrastructure" });
  });

  test("ends a program that is silent for too long", async () => {
    const { outcome } = await call("hang", { idleMs: 400 });
    expect(outcome).toMatchObject({ kind: "failed", class: "agent" });
    expect(outcome).toHaveProperty("message", expect.stringContaining("silent"));
  });

  test("ends a program that runs out of time", async () => {
    const { outcome } = await call("hang", { timeoutMs: 400 });
    expect(outcome).toMatchObject({ kind: "failed", class: "agent" });
    expect(outcome).toHaveProperty("message", expect.stringContaining("out of time"));
  });

  test("tells a usage limit with its reset time", async () => {
    const { outcome } = await call("limit");
    expect(outcome).toMatchObject({ kind: "limited", resets_at: "2026-01-25T21:00:00.000Z" });
  });

  test("names the way out when its program is missing", async () => {
    const { outcome } = await call("done", { program: missing });
    expect(outcome).toMatchObject({ kind: "failed", class: "configuration" });
    expect(outcome).toHaveProperty("message", expect.stringContaining(driver.remedy));
  });

  test("reads anything at all without throwing", () => {
    const event = fc.record({ type: fc.constantFrom("result", "assistant", "rate_limit_event") });
    const json = fc
      .tuple(event, fc.object())
      .map(([head, rest]) => JSON.stringify({ ...rest, ...head }));
    const piece = fc.oneof(
      fc.uint8Array().map((bytes) => Buffer.from(bytes)),
      json.map((text) => Buffer.from(`${text}\n`)),
    );
    fc.assert(
      fc.property(fc.array(piece), fc.integer({ min: 0, max: 255 }), (pieces, code) => {
        const reader = driver.createReader();
        for (const one of pieces) reader.push(one);
        const answer = reader.finish(ended({ end: { kind: "exited", code } }));
        expect(typeof answer.finalMessage).toBe("string");
      }),
    );
  });

  test.each([
    ["without a line end", Buffer.alloc(65_536, "x")],
    ["of short lines", Buffer.from("a line of output\n".repeat(4000))],
    ["of broken events", Buffer.from(`{"type":"result"\n`.repeat(4000))],
  ])("keeps its memory small in a flood %s", (_title, chunk) => {
    const reader = driver.createReader();
    const before = process.memoryUsage().rss;
    for (let i = 0; i < 1500; i++) reader.push(chunk);
    expect(process.memoryUsage().rss - before).toBeLessThan(100 * 1024 * 1024);
    expect(() => reader.finish(ended())).not.toThrow();
  });
}
