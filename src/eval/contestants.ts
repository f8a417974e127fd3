import { resolve } from "node:path/posix";
import { drivers } from "../agents/drivers/drivers.ts";
import { RalphError } from "../error.ts";
import type { AgentSettings, Agents } from "../schema/config/agents.ts";
import type { Evaluation } from "../schema/tasks/evaluation.ts";

/** Who works on every task: a name, and what its agents are. */
export interface Contestant {
  name: string;
  apply: (agents: Agents) => Agents;
}

const played = ["implementation", "test_writing", "review"] as const;

/** The agents to compare: names of the file, `driver` or `driver:model`; by default all of the file, or the configuration's. */
export function chooseContestants(
  list: string | undefined,
  { agents, folder }: { agents: Evaluation["agents"]; folder: string },
): Contestant[] {
  const names = list?.split(",").map((name) => name.trim()) ?? Object.keys(agents);
  if (names.length === 0) return [{ name: "as configured", apply: (given) => given }];
  return [...new Set(names)].map((name) => {
    const settings = agents[name];
    return settings ? fromFile(name, settings, folder) : fromDriver(name);
  });
}

function fromFile(name: string, settings: Evaluation["agents"][string], folder: string) {
  const placed = (given: AgentSettings): AgentSettings => {
    const { command } = given;
    return command?.startsWith("./") ? { ...given, command: resolve(folder, command) } : given;
  };
  const apply = (agents: Agents): Agents => {
    const changed = { ...agents };
    for (const role of played) {
      const own = settings[role] ?? settings.all;
      if (own) changed[role] = placed(own);
    }
    return changed;
  };
  return { name, apply };
}

function fromDriver(name: string): Contestant {
  const [driver = "", model] = name.split(/:(.*)/s);
  if (!drivers.some((known) => known.name === driver)) {
    throw new RalphError("config", {
      message: `--agents names ${name}, which is neither in the file's \`agents\` nor a driver (${drivers.map((known) => known.name).join(", ")}).`,
      remedy: "Write names of the file, or driver:model, with commas between them.",
    });
  }
  const apply = (agents: Agents): Agents => {
    const changed = { ...agents };
    for (const role of played) {
      const { command: _, model: __, ...rest } = agents[role];
      const isOwn = agents[role].driver === driver;
      changed[role] = {
        ...(isOwn ? agents[role] : { ...rest, args: [] }),
        driver,
        ...(model !== undefined && { model }),
      };
    }
    return changed;
  };
  return { name, apply };
}
