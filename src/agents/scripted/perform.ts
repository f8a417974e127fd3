import type { System } from "../../platform/system.ts";
import type { Cue, Performance, Scenario, ScenarioStep } from "./scenario.ts";

/** The means of a scripted agent: its work tree, a shell, the clock, its output and its own process. */
export interface Stage {
  system: Pick<System, "files" | "ask" | "clock" | "env">;
  cwd: string;
  print: (text: string) => Promise<void>;
  /** Does not return. */
  crash: () => Promise<number>;
}

export interface Play {
  scenario: Scenario;
  performance: Performance;
  cue: Cue;
  prompt: string;
}

/** Plays one call to its end and answers the exit code. */
export async function perform(stage: Stage, play: Play): Promise<number> {
  const { scenario, performance } = play;
  const print = (text: string) => stage.print(scenario.stream ? assistantEvent(text) : `${text}\n`);
  if (scenario.stream) await stage.print(initEvent);
  for (const step of performance.do) {
    await stage.system.clock.sleep(scenario.thinking_ms);
    const code = await takeStep({ ...stage, print }, step);
    if (code !== undefined) return code;
  }
  await stage.system.clock.sleep(scenario.thinking_ms);
  const message = renderFinalMessage(performance, { ...play.cue, token: findToken(play.prompt) });
  await stage.print(scenario.stream ? resultEvent(performance, message) : `${message}\n`);
  return 0;
}

/** Answers an exit code when the step ends the performance. */
async function takeStep(stage: Stage, step: ScenarioStep): Promise<number | undefined> {
  const files = stage.system.files(stage.cwd);
  if ("exit" in step) return step.exit;
  if ("crash" in step) return stage.crash();
  if ("write" in step) await files.write(step.write.path, step.write.text);
  if ("append" in step) await append(stage, step.append);
  if ("remove" in step) await files.remove(step.remove);
  if ("run" in step) await run(stage, step.run);
  if ("sleep" in step) await stage.system.clock.sleep(step.sleep);
  if ("say" in step) await stage.print(step.say);
  return undefined;
}

async function append({ system, cwd }: Stage, { path, text }: { path: string; text: string }) {
  await using file = await system.files(cwd).openAppend(path);
  await file.append(text);
}

async function run({ system, cwd }: Stage, command: string): Promise<void> {
  await system.ask({ file: "bash", args: ["-c", command], cwd, env: system.env });
}

const line = (event: Record<string, unknown>) => `${JSON.stringify(event)}\n`;

const initEvent = line({ type: "system", subtype: "init", model: "scripted" });

const assistantEvent = (text: string) =>
  line({ type: "assistant", message: { role: "assistant", content: [{ type: "text", text }] } });

function resultEvent({ cost_usd = 0, turns = 1 }: Performance, result: string): string {
  const figures = { total_cost_usd: cost_usd, num_turns: turns };
  return line({ type: "result", subtype: "success", is_error: false, result, ...figures });
}

const signals: Readonly<Record<string, string>> = {
  done: "task-done",
  tests: "tests-done",
  approved: "review-approved",
  rejected: "review-rejected",
};
const placeholder = /\{(done|tests|approved|rejected|token|task|subtask (T-\d{3}\.\d+))\}/g;

/** The final message of a scripted agent, its placeholders filled in. */
export function renderFinalMessage(
  { say, sections }: Performance,
  cue: Cue & { token: string },
): string {
  const body = Object.entries(sections)
    .map(([title, text]) => `## ${title}\n${text.trim()}`)
    .join("\n");
  return say.replace(placeholder, (_all, name: string, subtask: string | undefined) => {
    if (subtask !== undefined) {
      return `<subtask-complete id="${subtask}" session="${cue.token}"></subtask-complete>`;
    }
    if (name === "token") return cue.token;
    if (name === "task") return cue.task;
    const tag = signals[name];
    return `<${tag} session="${cue.token}">\n${body}\n</${tag}>`;
  });
}

/** The session token of a prompt: the last line that looks like one, as the prompt says. */
export function findToken(prompt: string): string {
  const lines = prompt.split("\n").map((line) => line.trim());
  return lines.findLast((line) => /^ralph-\d{8}-\d{6}-[0-9a-f]+$/.test(line)) ?? "";
}
