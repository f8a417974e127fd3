import type { Command } from "commander";
import { countTurn } from "../../dialects/omx/change-state.ts";
import { lockOf, type Mode } from "../../dialects/omx/paths.ts";
import { OmxTurn } from "../../dialects/omx/schema/files.ts";
import { RalphError, renderProblem } from "../../error.ts";
import { updateLocked } from "../../platform/locks/file-locks.ts";
import type { Files } from "../../platform/system.ts";
import { findRoot } from "../../session/open/locate-project.ts";
import { type Action, addAction, type CommandHost } from "../core/command.ts";
import type { Output } from "../core/output.ts";
import { findTurnScope, type TurnFile } from "./hook-scope.ts";

const help = `
Counts the turn in the state of the current session (.omx/state) and marks the
session as failed when no iteration is left. ralph counts its own sessions
itself.

Example, in ~/.codex/config.toml:
  notify = ["ralph", "hook", "turn"]`;

/** `ralph hook turn`: counts an agent's turn in the state of its session (specs 000, notify hook). */
export function addTurn(group: Command, host: CommandHost): void {
  const command = group
    .command("turn")
    .summary("an agent has ended its turn")
    .description("Counts an iteration of the current OMX session.")
    .argument("[event]", "the agent program's event, as JSON")
    .option("--session <id>", "count for this session instead of the current one")
    .addHelpText("after", help);
  addAction(command, host, turn);
}

const turn: Action<{ session?: string }> = async (
  { system, output, directory, args },
  { session },
) => {
  const { type = "agent-turn-complete", cwd } = readEvent(args[0]);
  if (type !== "agent-turn-complete") return showCounted([], output);
  const root = await findRoot(system, cwd?.startsWith("/") ? cwd : directory);
  const files = system.files(root);
  const { found, problems } = await findTurnScope(files, session);
  const now = new Date(system.clock.now()).toISOString();
  const counted = await count(files, found, now);
  if (problems.length > 0) {
    throw new RalphError("source", {
      message: `A state file is broken and was not changed:\n${problems.map(renderProblem).join("\n")}`,
      remedy: "Fix it at the places above, or move it away.",
      problems,
    });
  }
  return showCounted(counted, output);
};

/** Without an event, a turn has ended. */
function readEvent(text: string | undefined): OmxTurn {
  if (text === undefined || text.trim() === "") return {};
  try {
    return OmxTurn.parse(JSON.parse(text));
  } catch {
    throw new RalphError("config", {
      message: "The event is not a JSON object.",
      remedy: `Pass the agent program's event, such as '{"type":"agent-turn-complete"}'.`,
    });
  }
}

function showCounted(counted: readonly Counted[], { result, json, wantsJson }: Output): number {
  if (wantsJson) json({ counted });
  for (const each of counted) result(describe(each));
  return 0;
}

function describe({ mode, iteration, max_iterations: max, active }: Counted): string {
  const count = max === undefined ? `iteration ${iteration}` : `iteration ${iteration} of ${max}`;
  return `${mode}: ${count}${active ? "" : ", none left: failed"}`;
}

type Counted = {
  mode: Mode;
  path: string;
  iteration: number;
  max_iterations?: number;
  active: boolean;
};

async function count(files: Files, found: readonly TurnFile[], now: string): Promise<Counted[]> {
  const counted: Counted[] = [];
  const updates = found.map(({ mode, path }) => ({
    path,
    locks: [lockOf(path)],
    merge: (text: string | undefined) => {
      const next = text === undefined ? undefined : countTurn(mode, text, now);
      if (!next) return undefined;
      const { iteration = 0, max_iterations, active } = next.state;
      counted.push({ mode, path, iteration, ...(max_iterations && { max_iterations }), active });
      return next.text;
    },
  }));
  const result = await updateLocked(files, updates);
  if (result.kind === "updated") return counted;
  throw new RalphError("claim", {
    message: `Another program has held ${result.lock} for ten seconds.`,
    remedy: "The turn was not counted. Look for a hook that hangs.",
  });
}
