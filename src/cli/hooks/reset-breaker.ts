import { agentTeams } from "../../dialects/agent-teams/agent-teams.ts";
import { failuresPath, resetBreakers } from "../../dialects/agent-teams/team-counters.ts";
import { checkForeignText } from "../../entry/foreign-tree.ts";
import { RalphError, renderProblem } from "../../error.ts";
import { updateLocked } from "../../platform/locks/file-locks.ts";
import type { Files } from "../../platform/system.ts";
import type { CommandContext } from "../core/command.ts";

/** `ralph status --reset-breaker`: resets every teammate's failures in a row; totals stay (specs 003). */
export async function resetBreaker(
  { system, output }: CommandContext,
  root: string,
): Promise<number> {
  const files = system.files(root);
  const isThere = await requireSound(files);
  const { file, counted } = resetBreakers();
  const result = isThere ? await updateLocked(files, [file]) : undefined;
  if (result?.kind === "held") throw held(result.lock);
  const reset = isThere ? counted() : {};
  return output.answer({ reset }, describe(reset, isThere));
}

function describe(reset: Record<string, number>, isThere: boolean): string {
  if (!isThere) return `No circuit breaker is open: ${failuresPath} does not exist.`;
  const names = Object.entries(reset).map(([name, count]) => `${name} (${count} in a row)`);
  if (names.length === 0) return "No circuit breaker is open.";
  return `Closed the circuit breaker of ${names.join(", ")} in ${failuresPath}.`;
}

/** A broken file is not overwritten: another program may own it. */
async function requireSound(files: Pick<Files, "read">): Promise<boolean> {
  const text = (await files.read(failuresPath))?.toString();
  if (text === undefined) return false;
  if (text.trim() === "") return true;
  const { problems } = checkForeignText(agentTeams, failuresPath, text);
  if (problems.length === 0) return true;
  throw new RalphError("source", {
    message: `${failuresPath} is broken and was not changed:\n${problems.map(renderProblem).join("\n")}`,
    remedy: `Fix it, or remove it: teammates then count from zero.`,
    problems,
  });
}

const held = (lock: string) =>
  new RalphError("claim", {
    message: `Another program has held ${lock} for 10 s. Nothing was changed.`,
    remedy: "Try again when that program has ended.",
  });
