import { delimiter } from "node:path";
import { describe, expect, test } from "vitest";
import {
  autopilotCaller,
  calledJobs,
  createAutopilotAction,
  saidBy,
} from "../support/action/autopilot.ts";
import { goodAnswer, itemBranch, say } from "../support/autopilot/project.ts";
import type { Script, Turn } from "../support/model-server/script.ts";
import { startModelServer } from "../support/model-server/server.ts";
import { hasBubblewrap } from "../support/project/sandbox.ts";
import { claude, programs } from "./real-agent.ts";

const numbers = [1, 2];

const implement = (number: number): Turn[] => [
  { do: [{ write: `src/part-${number}.ts`, text: `export const part = ${number};\n` }] },
  { say: "It is written.\n{done}" },
];
const writeTests = (number: number): Turn[] => [
  { do: [{ write: `tests/part-${number}.test.ts`, text: "a test\n" }] },
  { say: "It is tested.\n{tests}" },
];

/** Analysis, document and list are asked in prompts of their own; one answer fits them all. */
const script: Script = {
  other: [say(goodAnswer)],
  implementation: numbers.flatMap(implement),
  test_writing: numbers.flatMap(writeTests),
  review: [{ say: "{approved}" }],
};

describe.skipIf(programs === "" || !hasBubblewrap)(
  "the autopilot workflow with the real claude",
  () => {
    test("plans with the program, works, proves, and opens one pull request that is ready", async () => {
      await using model = await startModelServer(claude.dialect, script);
      const role = { driver: claude.driver };
      await using github = await createAutopilotAction({
        agents: { implementation: role, test_writing: role, review: role },
        autopilot: {
          analysis: { provider: "claude_cli" },
          tasks: { min_count: 2, max_count: 2 },
        },
      });
      const env = {
        PATH: `${github.project.folder}/bin${delimiter}${programs}${delimiter}${process.env.PATH}`,
        ANTHROPIC_BASE_URL: model.url,
      };
      const startedAt = performance.now();
      await using result = await github.go(autopilotCaller(), { env });
      console.info(
        `from a report to a pull request: ${Math.round(performance.now() - startedAt)} ms`,
      );
      expect(result.conclusion, saidBy(result, "Work")).toBe("success");
      expect(saidBy(result, "Work")).toMatch(/Analyzing reports\/.* with claude/);
      expect(calledJobs(result).get("Work")?.outputs).toMatchObject({
        ...{ status: "completed", "tasks-completed": "2" },
        "cost-usd": expect.stringMatching(/^0\.\d+$/),
      });
      expect(github.state.pulls).toMatchObject([
        { draft: false, title: "Ralph: Repair the login form", head: { ref: itemBranch } },
      ]);
      expect(github.remoteGit("show", `${itemBranch}:src/part-2.ts`)).toContain("part = 2");
      expect(github.claim("reports")).toMatchObject({ state: "released" });
      const logs = result.jobs.flatMap(({ rawLog, summary }) => [...rawLog, summary]);
      expect(logs.join("\n")).not.toContain("sk-ant-canary");
    }, 180_000);
  },
);
