import type { SessionState } from "../core/state/session-state.ts";
import type { Config } from "../schema/config/config.ts";
import type { SpliceView } from "../views/view.ts";
import { agentTeams } from "./agent-teams/agent-teams.ts";
import { claudeRalph } from "./claude-ralph/claude-ralph.ts";
import type { Dialect, DialectName, LiveStatus } from "./dialect.ts";
import { omc } from "./omc/omc.ts";
import { omx } from "./omx/omx.ts";

/** Every dialect by the name `compat.emit` has for it, in the order in which their files are read. */
const byName: Record<DialectName, Dialect> = {
  "claude-ralph": claudeRalph,
  omc,
  omx,
  "agent-teams": agentTeams,
};

export const dialects: readonly Dialect[] = Object.values(byName);

/** The dialects of a configuration (`compat.emit`), each once. */
export function chosenDialects(names: readonly DialectName[]): readonly Dialect[] {
  return dialects.filter(({ name }) => names.includes(name));
}

type CompatConfig = Pick<Config, "compat">;

const documentsOf = ({ compat }: CompatConfig) =>
  chosenDialects(compat.emit).flatMap(({ documents }) => documents ?? []);

/** The documents of the emitted dialects that change with the newest pass. */
export const dialectDocuments = (config: CompatConfig, state: SessionState): SpliceView[] =>
  documentsOf(config).flatMap(({ render }) => render(state));

/** Every document that an emitted dialect may change in a session, below the project root. */
export const dialectDocumentPaths = (
  config: CompatConfig,
  state: Pick<SessionState, "session">,
): string[] => documentsOf(config).flatMap(({ paths }) => paths(state));

/** The documents of the emitted dialects as they are in the work tree between two passes. */
export const liveDocuments = (config: CompatConfig, state: SessionState): SpliceView[] =>
  documentsOf(config).flatMap(({ live }) => live(state));

/** Whether a path may be such a document. */
export const hasLiveStatus = (config: CompatConfig, path: string): boolean =>
  documentsOf(config).some(({ owns }) => owns(path));

/** Whether a document differs from its committed text only in what ralph says there between two passes. */
export const documentStatusOf = (
  config: CompatConfig,
  { before, after }: { before: string; after: string },
): LiveStatus | undefined =>
  documentsOf(config)
    .map(({ isLive }) => isLive(before, after))
    .find((status) => status !== undefined);
