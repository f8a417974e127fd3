import { agentTeams } from "./agent-teams/agent-teams.ts";
import { claudeRalph } from "./claude-ralph/claude-ralph.ts";
import type { Dialect, DialectName } from "./dialect.ts";
import { omc } from "./omc/omc.ts";
import { omx } from "./omx/omx.ts";

/** Every dialect. A new one is a folder beside its like, and a line here. */
export const dialects: readonly Dialect[] = [claudeRalph, omc, omx, agentTeams];

/** Those a configuration asks for (`compat.emit`), each once. */
export function chosenDialects(names: readonly DialectName[]): readonly Dialect[] {
  return dialects.filter(({ name }) => names.includes(name));
}
