import { RalphError } from "../../error.ts";
import { replayJournal } from "../../journal/journal.ts";
import type { System } from "../../platform/system.ts";

/**
 * The artifact must be what the agents' job said it would be (T57): its output `journal-digest` comes as
 * RALPH_JOURNAL_DIGEST. A job that was killed had no time to say it.
 */
export async function requireDigest(
  { files, env }: Pick<System, "files" | "env">,
  bundle: string,
): Promise<void> {
  const expected = env.RALPH_JOURNAL_DIGEST;
  if (!expected) return;
  const replay = await replayJournal(files(bundle));
  if (replay && `${replay.end.seq}:${replay.end.hash}` === expected) return;
  throw new RalphError("tampering", {
    message: "The session that was fetched is not the one the agents' job ended with.",
    remedy:
      "Look at who else uploads artifacts named ralph-session-… in this workflow, then run it again.",
  });
}
