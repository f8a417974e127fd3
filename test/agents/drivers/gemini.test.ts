import { describe, expect, test } from "vitest";
import { gemini } from "../../../src/agents/drivers/gemini.ts";
import type { Environment } from "../../../src/platform/system.ts";
import {
  agentProgram,
  exit,
  readAnswer,
  readStream,
  testDriver,
  testStreams,
} from "../../support/contracts/driver.ts";

const line = (event: unknown) => `${JSON.stringify(event)}\n`;
const say = (content: string) => line({ type: "message", role: "assistant", content, delta: true });
const good = line({ type: "result", status: "success" });

describe("the gemini driver", () => {
  testDriver(gemini, { programFor: agentProgram, missing: ["no-such-program-anywhere"] });
  testStreams(gemini, {
    folder: "gemini",
    good: "ok",
    cases: [
      // Its exit codes are HTTP statuses modulo 256, which look like kills.
      ["400", exit(144), "configuration", "API key not valid"],
      ["401", exit(145), "configuration", "invalid authentication"],
      ["403", exit(147), "configuration", "Permission denied"],
      ["404", exit(1), "configuration", "models/gemini-nope"],
      ["429", exit(173), "limited", "Please retry in 20.5s"],
      ["500", exit(244), "infrastructure", "internal error"],
      ["cut", exit(1), "infrastructure", "fetch failed"],
      ["refused", exit(1), "infrastructure", "fetch failed"],
    ],
  });

  test("approves everything for a writer and plans only for a reader", () => {
    const call = { role: "review", program: ["gemini"], allowedTools: [], timeoutMs: 1 } as const;
    const argsOf = (readOnly: boolean) =>
      gemini.command({ ...call, model: undefined, readOnly }).args.join(" ");
    expect(argsOf(false)).toBe("--output-format stream-json --skip-trust --approval-mode yolo");
    expect(argsOf(true)).toBe("--output-format stream-json --skip-trust --approval-mode plan");
  });

  test("gets a login of its own from the environment, and nothing from the project's", () => {
    const settings = (env: Environment) => JSON.parse(gemini.settings?.text(env) ?? "");
    expect(settings({})).toMatchObject({ advanced: { ignoreLocalEnv: true } });
    expect(settings({})).not.toHaveProperty("security");
    const key = { GEMINI_API_KEY: "k" };
    const chosen = { auth: { selectedType: "gemini-api-key" } };
    expect(settings({ ...key, GOOGLE_GEMINI_BASE_URL: "u" }).security).toEqual(chosen);
    expect(settings({ ...key, GOOGLE_GENAI_USE_VERTEXAI: "true" })).not.toHaveProperty("security");
  });

  test("joins the pieces said after the last tool call", () => {
    const text =
      say("Let me see.") + line({ type: "tool_use" }) + say("All ") + say("done.") + good;
    expect(readAnswer(gemini, text, {}).finalMessage).toBe("All done.");
  });

  test("reads the captured answer of a reader that tried to write", () => {
    expect(readAnswer(gemini, readStream("gemini", "denied"), {})).toMatchObject({
      outcome: { kind: "answered" },
      finalMessage: 'All finished.\n<task-done session="S-123">US-001</task-done>',
    });
  });

  test("counts what the model has thought as output, for it is paid for", () => {
    const stats = { total_tokens: 2500, input_tokens: 2000, cached: 500, output_tokens: 40 };
    const text = line({ type: "result", status: "success", stats });
    expect(readAnswer(gemini, text, {}).usage).toEqual({
      input_tokens: 2000,
      cached_input_tokens: 500,
      output_tokens: 500,
    });
  });

  test("keeps the end of an endless answer", () => {
    const text = say("x".repeat(900_000)).repeat(3) + say("the end") + good;
    const { finalMessage } = readAnswer(gemini, text, {});
    expect(finalMessage).toHaveLength(1024 * 1024);
    expect(finalMessage.endsWith("the end")).toBe(true);
  });

  test("takes a prompt that is printed back for no answer", () => {
    const echo = line({ type: "message", role: "user", content: "<task-done>" });
    expect(readAnswer(gemini, echo + good, {}).finalMessage).toBe("");
  });
});
