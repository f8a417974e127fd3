import { createHash } from "node:crypto";
import type { SetupStep } from "../../schema/config/gates.ts";
import type { SessionContext } from "../loop/session-context.ts";

/** Identifies a setup step's result by its command and its `cache` files, or the whole tree without them. */
export async function setupKey(
  { system, repo, journal }: Pick<SessionContext, "system" | "repo" | "journal">,
  step: SetupStep,
): Promise<string> {
  const files = system.files(repo.root);
  const contents = await Promise.all(step.cache.map((path) => files.read(path)));
  const hash = createHash("sha256").update(JSON.stringify([step.name, step.cmd]));
  if (step.cache.length === 0) hash.update(journal.state.headTree);
  for (const content of contents) hash.update("\0").update(content ?? "");
  return hash.digest("hex");
}
