import { runsCommands } from "../../core/state/task-list-origin.ts";
import type { BaselineDeps } from "../../gates/baseline.ts";
import type { CriteriaDeps } from "../../gates/criteria.ts";
import { readBlob } from "../../git/trees/objects.ts";
import { gateDepsAt, openCheckout } from "./gate-deps-at.ts";
import { openStage } from "./open-stage.ts";
import type { SessionContext } from "./session-context.ts";

/** The folder of the start tree's checkout, in the session's folder while a baseline runs. */
export const baselineFolder = "baseline";

/** The parts of the session that gates, criteria, setup steps and the baseline use. */
export function gateDeps(session: SessionContext): BaselineDeps & CriteriaDeps {
  const { system, repo, config, evidence, folder, journal, sandbox } = session;
  const directory = `${folder}/${baselineFolder}`;
  return {
    ...gateDepsAt(session),
    system,
    readBlob: (tree, path) => readBlob(repo, { treeish: tree, path }),
    keepEvidence: evidence.put,
    commands: runsCommands(journal.state.session, sandbox) ? "run" : "leave",
    ...(Object.keys(config.services).length > 0 && { openStage: () => openStage(session) }),
    openCheckout: (tree) => openCheckout(session, { tree, directory }),
    setup: config.setup,
  };
}
