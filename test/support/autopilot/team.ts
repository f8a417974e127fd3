import { createHash } from "node:crypto";
import type { ModelContext } from "../../../src/autopilot/llm/ask-model.ts";
import type { Model, Question, Reply } from "../../../src/autopilot/llm/model.ts";
import type { ProjectFacts } from "../../../src/autopilot/planning/prompt-data.ts";
import type { Report } from "../../../src/autopilot/reports/report.ts";
import type { Usage } from "../../../src/core/state/measurement.ts";
import { sha256 } from "../../../src/schema/session-files/checksum.ts";
import { createTestClock } from "../project/system.ts";

/** A model without a wire: what it is to say, one reply for each question; the last one is repeated. */
export function scriptedModel(...texts: readonly string[]): Model & { questions: Question[] } {
  const questions: Question[] = [];
  const ask = async (question: Question): Promise<Reply> => {
    const text = texts[questions.length] ?? texts.at(-1) ?? "";
    questions.push(question);
    return { kind: "answered", text, usage: { input_tokens: 10, output_tokens: 5 } };
  };
  const name = "anthropic test-model";
  return {
    provider: "anthropic",
    name,
    model: "test-model",
    reportedUsage: "tokens",
    questions,
    ask,
  };
}

/** A context with a clock that waits for nothing; `kept` is the evidence. */
export function createModelContext(
  model: Model,
  more: Partial<ModelContext> = {},
): ModelContext & { kept: string[]; used: Usage[] } {
  const kept: string[] = [];
  const used: Usage[] = [];
  let next = 1;
  return {
    system: {
      clock: createTestClock(),
      randomHex: (bytes) =>
        createHash("sha256")
          .update(`${next++}`)
          .digest("hex")
          .slice(0, bytes * 2),
    },
    model,
    evidence: {
      put: async (text) => {
        kept.push(text);
        return { sha256: sha256(text), bytes: Buffer.byteLength(text) };
      },
    },
    evidenceFolder: "/store/evidence",
    redact: (text) => text.replaceAll("s3cret", "***"),
    spendTracker: {
      requireLeft: async () => undefined,
      add: async (usage) => {
        used.push(usage);
      },
    },
    timeoutMs: 20_000,
    kept,
    used,
    ...more,
  };
}

export const reportOf = (text: string): Report => ({
  path: "reports/weekly-20260120.md",
  text,
  sha256: sha256(text),
  kind: "file",
});

export const facts: ProjectFacts = {
  paths: ["src/main.ts", "test/main.test.ts"],
  agentsMd: "",
  readme: "",
  gates: ["test: npm test"],
};

/** A good answer to the question for an analysis. */
export const goodAnalysis = (more: object = {}) => ({
  priority_item: "Repair the login form",
  description: "The form loses its text.",
  rationale: "Nobody can log in.",
  acceptance_criteria: ["Run `npm test` - exits with code 0"],
  branch_name: "fix/login-form",
  first_line: 3,
  last_line: 4,
  excluded_items: [{ item: "Dark mode", reason: "cosmetic only" }],
  ...more,
});

/** Tasks of a model that does what its instructions say. */
export const goodTasks = (count: number, more: object = {}) => ({
  tasks: Array.from({ length: count }, (_, at) => ({
    title: `Write part ${at + 1} of number ${at + 1}`,
    description: "As the requirement says.",
    acceptanceCriteria: [`File \`src/part-${at + 1}.ts\` exists`, "It reads well"],
    priority: at + 1,
    requiresTests: true,
    requirements: ["FR-1"],
    ...more,
  })),
});
