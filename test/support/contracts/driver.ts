import { readFileSync } from "node:fs";
import fc from "fast-check";
import { expect, test } from "vitest";
import { type AgentRequest, runAgent } from "../../../src/agents/call/run-agent.ts";
import type { Answer, CommandLine, Driver } from "../../../src/agents/drivers/driver.ts";
import { readSignal } from "../../../src/core/checks/signal.ts";
import type { SupervisedResult } from "../../../src/platform/system.ts";
import { createTestSystem, type TestSystem } from "../project/system.ts";

export const token = "ralph-20260125-143052-a7b3c9f2d1e8";
export const prompt = `Do it.\n\nThe session token is:\n${token}\n`;

/** What an agent program has to be made to do, whatever the driver. */
export type Behaviour = "done" | "noop" | "hang" | "limit" | "exit-1" | "killed";

export interface DriverFixtures {
  /** What makes the driver's program behave so; `folder` is the work tree, where a file may be put. */
  programFor: (behaviour: Behaviour, folder: string) => Promise<CommandLine> | CommandLine;
  missing: CommandLine;
}

/** The program of test/fixtures/agents, behaving in one way. */
export const agentProgram = (behaviour: string): CommandLine => [
  process.execPath,
  new URL("../../fixtures/agents/agent.mjs", import.meta.url).pathname,
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
  homes: { folder: `${system.root}/.homes`, caches: [], tools: [] },
  openNetwork: async () => undefined,
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

type End = SupervisedResult["end"];
export const exit = (code: number): End => ({ kind: "exited", code });

/** What a captured stream, ended so, comes to, and words its message must hold. */
export type StreamCase = [
  stream: string,
  end: End,
  comesTo: "agent" | "infrastructure" | "configuration" | "limited",
  words: string,
];

export interface StreamFixtures {
  /** Below test/fixtures/streams: what the real program printed on stdout. */
  folder: string;
  /** A stream that ends in a good answer with a signal. */
  good: string;
  cases: StreamCase[];
}

/** The captured stream of a program. */
export const readStream = (folder: string, name: string) =>
  readFileSync(new URL(`../../fixtures/streams/${folder}/${name}.jsonl`, import.meta.url), "utf8");

/** Reads a text in pieces of 1000 bytes, so that lines and characters are cut. */
export function readAnswer(
  driver: Driver,
  stdout: string,
  more: Partial<SupervisedResult>,
): Answer {
  const reader = driver.createReader();
  const bytes = Buffer.from(stdout);
  for (let at = 0; at < bytes.length; at += 1000) reader.push(bytes.subarray(at, at + 1000));
  return reader.finish(ended({ stdout, stdoutBytes: bytes.length, ...more }));
}

const comesTo = ({ outcome }: Answer) => (outcome.kind === "failed" ? outcome.class : outcome.kind);

/** What every driver with a stream of its own must make of what its program really printed (F28, F29, design 4). */
export function testStreams(driver: Driver, { folder, good, cases }: StreamFixtures): void {
  const goodStream = readStream(folder, good);

  test.each(cases)("reads the captured stream %s, ended as %j, as %s", (name, end, kind, words) => {
    const answer = readAnswer(driver, readStream(folder, name), { end });
    expect(comesTo(answer)).toBe(kind);
    expect(answer.outcome).toHaveProperty("message", expect.stringMatching(/^.{1,600}$/));
    expect(answer.outcome).toHaveProperty("message", expect.stringContaining(words));
    // Of what only the user can mend, the driver's way out is a better one than to install the program.
    expect(answer.remedy !== undefined).toBe(kind === "configuration");
  });

  test.each([
    ["a good end", exit(0)],
    ["an exit code", exit(1)],
    ["a program that lingered until its time was over", { kind: "timed-out" } as const],
  ])("takes the captured answer before %s", (_title, end) => {
    const answer = readAnswer(driver, goodStream, { end });
    expect(answer.outcome).toEqual({ kind: "answered" });
    expect(answer.finalMessage).toBe(
      'All finished.\n<task-done session="S-123">US-001</task-done>',
    );
    expect(answer.usage.input_tokens).toBeGreaterThan(0);
    expect(answer.usage.output_tokens).toBeGreaterThan(0);
    expect(answer.details?.session_id).toMatch(/^[0-9a-f-]{36}$/);
  });

  test("takes a stream that breaks off at any line for no answer", () => {
    const lines = goodStream.trimEnd().split("\n");
    for (let kept = 1; kept < lines.length; kept++) {
      const answer = readAnswer(driver, `${lines.slice(0, kept).join("\n")}\n`, { end: exit(0) });
      expect(comesTo(answer)).toBe("agent");
      expect(answer.finalMessage).toBe("");
    }
  });

  test.each([
    ["error: unknown option '--tools'", "does not know an option"],
    [
      "error: unexpected argument '--json' found\n\nUsage: x\n\nFor more, try '--help'.",
      "does not know an option",
    ],
    ["Unknown argument: skip-trust\n\nOptions:\n  -h, --help", "does not know an option"],
    ["Invalid API key · Please run /login", "not logged in"],
    ["Please set an Auth method in settings.json", "not logged in"],
  ])("tells a start that fails with %j as a matter of configuration", (stderr, words) => {
    const answer = readAnswer(driver, "", { end: exit(1), stderr });
    expect(comesTo(answer)).toBe("configuration");
    expect(answer.outcome).toHaveProperty("message", expect.stringContaining(words));
    expect(answer.remedy).toBeDefined();
  });

  test("gives a reader other options than a writer, and no leave to skip its own protection", () => {
    const call = {
      role: "review",
      program: ["x"],
      model: "m",
      allowedTools: [],
      timeoutMs: 1,
    } as const;
    const reader = driver.command({ ...call, readOnly: true }).args.join(" ");
    const writer = driver.command({ ...call, readOnly: false }).args.join(" ");
    expect(writer).toMatch(/dangerously|yolo/);
    expect(reader).not.toMatch(/dangerously|yolo/);
    expect(reader).toContain("--model m");
  });
}
