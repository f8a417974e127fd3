import type { SessionState } from "../../core/state/session-state.ts";
import type { PackContents } from "../../git/commits/bundle.ts";
import type { ReadFiles } from "../../platform/system.ts";
import { bundledPlanOf } from "./bundled-plan.ts";

/** The file of a bundle with its git objects. */
export const packFile = "objects.pack";

/**
 * What a bundle carries beside journal and evidence: the session's commits and the trees it kept. Whoever reads that of an
 * autopilot run only knows the run's base commit, so it carries the run's own commits as well.
 */
export async function bundledObjects(
  files: ReadFiles,
  state: SessionState,
): Promise<Omit<PackContents, "file">> {
  const plan = await bundledPlanOf(files, state);
  const exclude = plan?.base ?? state.session.start.commit;
  return {
    commits: state.head === exclude ? [] : [state.head],
    trees: state.tasks.flatMap(({ kept }) => kept ?? []),
    exclude,
  };
}
