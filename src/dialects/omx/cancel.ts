import type { CancelRequest, ForeignFile, ForeignTree } from "../dialect.ts";
import { renderChanged } from "./change-state.ts";
import { lockOf, type Mode } from "./paths.ts";
import { isTerminal, omxPhase } from "./schema/phase.ts";
import type { OmxState } from "./schema/state.ts";
import {
  authoritative,
  currentSession,
  type ModeFile,
  parseModeState,
  readModes,
} from "./scope.ts";

/**
 * Ends ralph and its linked modes in one scope (compatibility 2, "cancel contract"): first the team, whose end ralph then
 * records, then ultrawork and ecomode, then ralph. If ralph is inactive, ends all active modes.
 */
export function cancelOmx(tree: ForeignTree, { id, now }: CancelRequest): ForeignFile[] {
  const scope =
    id === undefined
      ? authoritative(tree, currentSession(tree))
      : readModes(tree).filter(({ session }) => session === id);
  const ralph = scope.find(({ mode, state }) => mode === "ralph" && state.active);
  if (!ralph) return scope.flatMap((each) => cancelMode(each, now));
  const linked = linkedModes(ralph.state);
  const team = linked.includes("team") ? scope.find(({ mode }) => mode === "team") : undefined;
  const others = scope.filter(({ mode }) => mode !== "team" && linked.includes(mode));
  return [
    ...(team ? cancelMode(team, now) : []),
    ...others.flatMap((each) => cancelMode(each, now)),
    ...cancelMode(ralph, now, team && endOfTeam(team.state, now)),
  ];
}

const links = {
  team: "linked_team",
  ultrawork: "linked_ultrawork",
  ecomode: "linked_ecomode",
} as const;

function linkedModes(state: OmxState): Mode[] {
  const known = ["team", "ultrawork", "ecomode"] as const;
  return known.filter((mode) => state[links[mode]] || state.linked_mode === mode);
}

/** An ended team keeps its end; an active one is cancelled. */
function endOfTeam(team: OmxState, now: string): Partial<OmxState> {
  const phase = omxPhase(team.current_phase ?? "");
  const hasEnded = !team.active && isTerminal(phase);
  return {
    linked_team_terminal_phase: hasEnded ? phase : "cancelled",
    linked_team_terminal_at: (hasEnded && team.completed_at) || now,
  };
}

/** Decides by the content under the lock: the mode may have ended meanwhile. */
function cancelMode(
  { mode, path, state }: ModeFile,
  now: string,
  more: Partial<OmxState> = {},
): ForeignFile[] {
  if (!state.active) return [];
  const end = { active: false, current_phase: "cancelled", completed_at: now, ...more };
  const merge = (text: string | undefined) => {
    const current = text === undefined ? undefined : parseModeState(mode, text);
    return current?.active ? renderChanged(mode, current, end) : undefined;
  };
  return [{ path, locks: [lockOf(path)], ours: `cancelled ${now}`, merge }];
}
