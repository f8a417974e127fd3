import type { SessionState } from "../../core/state/session-state.ts";
import type { PackContents } from "../../git/commits/bundle.ts";
import type { ReadFiles } from "../../platform/system.ts";
import { bundledPlanOf } from "./bundled-plan.ts";

/** The file of a bundle that holds its git objects. */
export const packFile = "objects.pack";

/**
 * The git objects of a bundle: the session's commits and the trees it kept. A reader of an autopilot run's bundle knows
 * only the run's base commit, so such a bundle also carries the run's own commits.
 */
export async function bundledObjects(
  files: ReadFiles,
  state: SessionState,
): Promise<Omit<PackContents, "file">> {
  const plan = await bundledPlanOf(files, state);
  const exclude = plan?.base ?? state.session.start.commit;
  return {
    commits: state.head === exclude ? [] : [state.head],
    trees: state.tasks.flatMap(({ kept, checkpoint: { parts } = {} }) => [
      ...(kept ? [kept] : []),
      ...(parts ? [parts.tests, parts.work] : []),
    ]),
    exclude,
  };
}
