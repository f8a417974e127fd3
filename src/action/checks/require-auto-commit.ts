import { RalphError } from "../../error.ts";
import type { Config } from "../../schema/config/config.ts";

/** In a job nobody can commit what a run has only written: it is gone with the machine (exit 1). */
export function requireAutoCommit({ autopilot }: Pick<Config, "autopilot">): void {
  const off = (["prd", "tasks"] as const).filter((part) => !autopilot[part].auto_commit);
  if (off.length === 0) return;
  const keys = off.map((part) => `\`autopilot.${part}.auto_commit\``).join(" and ");
  throw new RalphError("config", {
    message: `${keys} ${off.length === 1 ? "is" : "are"} false, and in a job there is nobody to commit what is written.`,
    remedy:
      "Leave it out; to read the document before anything is built, set `autopilot.prd.mode: interactive`.",
  });
}
