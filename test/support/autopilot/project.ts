import { runsFolder } from "../../../src/autopilot/reports/past-work.ts";
import { RunRecordFile } from "../../../src/schema/session-files/run-record.ts";
import { anthropic } from "../model-server/anthropic.ts";
import type { Turn } from "../model-server/script.ts";
import { type ModelServer, startModelServer } from "../model-server/server.ts";
import { createProject, type Project, type ProjectOptions } from "../project/project.ts";
import { goodAnalysis, goodTasks } from "./team.ts";

export const reportPath = "reports/weekly-review-20260120.md";
export const reportText = `# Weekly review\n\nThe login form loses\nits text. ${"It is long. ".repeat(5)}\n`;
/** The branch the model's answer leads to. */
export const itemBranch = "ralph/login-form";

export const goodRequirements = {
  ...{ title: "Login form", overview: "It keeps its text.", requirements: ["It keeps its text"] },
  ...{ goals: [], non_goals: [], success_metrics: [] },
};

/** One answer for every question: what was not asked for is ignored, so it does not matter which is asked again. */
export const goodAnswer = { ...goodAnalysis(), ...goodRequirements, ...goodTasks(2) };

export function say(value: unknown): Turn {
  return { say: JSON.stringify(value) };
}

/** An agent that does what the tasks of `goodTasks` ask for. */
export const goodAgent = {
  // biome-ignore lint/suspicious/noTemplateCurlyInString: it is the shell's.
  implementation: 'mkdir -p src; echo "$task" >"src/part-${task#T-00}.ts"; claim',
};

export interface AutopilotProject extends Project {
  model: ModelServer;
  /** The record of the last run, as it is shown. */
  record: () => Promise<RunRecordFile>;
}

/** A project with a report, and a model behind the API of a provider. */
export async function createAutopilotProject(
  options: ProjectOptions & { turns?: readonly Turn[]; autopilot?: object } = {},
): Promise<AutopilotProject> {
  const model = await startModelServer(anthropic, { other: options.turns ?? [say(goodAnswer)] });
  const project = await createProject({
    agent: goodAgent,
    ...options,
    files: { [reportPath]: reportText, ...options.files },
    config: {
      autopilot: { tasks: { min_count: 2, max_count: 2 }, ...options.autopilot },
      ...options.config,
    },
    env: { ANTHROPIC_API_KEY: "key", ANTHROPIC_BASE_URL: model.url, ...options.env },
  });
  return {
    ...project,
    model,
    record: async () => {
      const files = project.system.files(project.root);
      const names = await files.list(runsFolder);
      const bytes = await files.read(`${runsFolder}/${names.at(-1)}`);
      return RunRecordFile.parse(JSON.parse(String(bytes)));
    },
    async [Symbol.asyncDispose]() {
      await model[Symbol.asyncDispose]();
      await project[Symbol.asyncDispose]();
    },
  };
}
