import type { SessionState } from "../../core/state/session-state.ts";
import { RalphError } from "../../error.ts";
import { readPack } from "../../git/commits/bundle.ts";
import type { Repository } from "../../git/repository/repository.ts";
import { missingObjects } from "../../git/trees/objects.ts";
import type { System } from "../../platform/system.ts";
import { auditSession, isSound } from "../../session/audit/audit-session.ts";
import { packFile } from "../../session/bundle/bundled-objects.ts";
import type { LocatedProject } from "../../session/open/locate-project.ts";
import type { MakeConfig } from "../../session/open/start-config.ts";

/** Refuses a bundle that fails `ralph audit`, and lists its problems. */
export async function requireSound(
  system: System,
  {
    place,
    bundle,
    makeConfig,
  }: { place: LocatedProject; bundle: string; makeConfig: MakeConfig | undefined },
): Promise<void> {
  const audit = await auditSession(system, { place, files: system.files(bundle), makeConfig });
  if (isSound(audit)) return;
  const problems = [
    ...audit.problems,
    ...audit.passes.flatMap(({ task, lacks }) => lacks.map((lack) => `${task}: ${lack}`)),
  ];
  throw new RalphError("tampering", {
    message: `${bundle} is not published because its audit failed:\n${problems.slice(0, 50).join("\n")}`,
    remedy: "Look at it with `ralph audit FOLDER`; run the tasks again with `ralph run`.",
    problems: problems.map((message) => ({ file: bundle, message })),
  });
}

/** Imports the session's commits into a repository that lacks them. */
export async function takePack(
  repo: Repository,
  { head }: Pick<SessionState, "head">,
  bundle: string,
): Promise<void> {
  if ((await missingObjects(repo, [head])).length === 0) return;
  const read = await readPack(repo, `${bundle}/${packFile}`);
  if (read.kind === "read" && (await missingObjects(repo, [head])).length === 0) return;
  throw new RalphError("source", {
    message: `${bundle}/${packFile} does not hold the commit ${head}${read.kind === "refused" ? `: ${read.because}` : ""}.`,
    remedy: "Give the folder of a complete session artifact.",
  });
}
