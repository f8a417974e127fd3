import { findProgram } from "../../agents/call/agent-version.ts";
import type { AgentDeps } from "../../agents/call/run-agent.ts";
import { driverNamed } from "../../agents/drivers/drivers.ts";
import { programOf } from "../../agents/drivers/program.ts";
import { RalphError } from "../../error.ts";
import type { Repository } from "../../git/repository/repository.ts";
import type { Redactor } from "../../platform/secrets/redact.ts";
import type { System } from "../../platform/system.ts";
import type { Config } from "../../schema/config/config.ts";
import { newToken } from "../../session/loop/session-id.ts";
import { openSandbox } from "../../session/open/open-sandbox.ts";
import { createAgentModel } from "./agent-model.ts";
import { createApiModel } from "./api-model.ts";
import { chooseProvider } from "./choose-provider.ts";
import { draftTimeoutMs, type Model } from "./model.ts";

export interface ModelRequest {
  repo: Repository;
  /** With the options of the command line applied. */
  config: Config;
  store: string;
  runId: string;
  sessionDir: string;
  redact: Redactor;
}

/** Opens the model that answers the questions: a provider's API, the claude program, or the project's planning agent. */
export async function openModel(system: System, request: ModelRequest): Promise<Model> {
  const { config, repo } = request;
  const { analysis } = config.autopilot;
  const [file] = programOf(driverNamed("claude"), { args: [] }, system.env);
  const hasClaude = (await findProgram(system, { file, root: repo.root })) !== undefined;
  const planner = config.agents.planning.driver;
  try {
    const choice = chooseProvider(analysis, { env: system.env, hasClaude });
    if (choice.kind === "api") return createApiModel(choice.api);
    return await openAgent(system, request, { driver: "claude", model: choice.model });
  } catch (error) {
    const mayPlan = analysis.provider === undefined && planner !== "claude";
    if (!mayPlan || !(error instanceof RalphError) || error.reason !== "config") throw error;
    return await openAgent(system, request, { driver: planner, model: analysis.model });
  }
}

/** A program that is silent for this long counts as hung. */
const idleMs = 5 * 60_000;

async function openAgent(
  system: System,
  { repo, config, store, runId, sessionDir, redact }: ModelRequest,
  { driver: name, model }: { driver: string; model: string | undefined },
): Promise<Model> {
  const driver = driverNamed(name);
  const settings = config.agents.planning;
  const isSame = settings.driver === name;
  const program = programOf(driver, isSame ? settings : { args: [] }, system.env);
  if (!(await findProgram(system, { file: program[0], root: repo.root }))) {
    throw new RalphError("config", {
      message: `The agent program \`${program[0]}\` does not exist or cannot be executed.`,
      remedy: driver.remedy,
    });
  }
  const sandbox = await openSandbox(system, { repo, config, store });
  const wrap: AgentDeps["wrap"] = (command, call) =>
    sandbox.wrap(command, { worktree: repo.worktree, ...call });
  return createAgentModel(
    {
      ...{ system, wrap, redact, homes: sandbox.homes },
      openNetwork: sandbox.network.openCall,
      token: newToken(runId, system),
    },
    {
      ...{ driver, program, cwd: repo.root, timeoutMs: draftTimeoutMs },
      model: model ?? (isSame ? settings.model : undefined),
      allowedTools: [],
      isSandboxed: sandbox.kind === "bubblewrap",
      ...(driver.streams && { idleMs }),
      identity: { taskId: "autopilot", attempt: 1, sessionDir },
      envNames: config.agents.env,
    },
  );
}
