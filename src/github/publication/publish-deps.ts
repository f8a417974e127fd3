import { RalphError } from "../../error.ts";
import type { Clock } from "../../platform/system.ts";
import type { GitHub } from "../api/create-github.ts";
import type { Viewer } from "../api/viewer.ts";
import type { FindSecrets } from "../verify/find-secrets.ts";

/** What everything that is published on GitHub needs. */
export interface PublishDeps {
  github: GitHub;
  clock: Pick<Clock, "sleep">;
  /** Whose token it is: only what they wrote is ours. */
  viewer: Viewer;
  /** The last look at every text before it leaves (T19). */
  findSecrets: FindSecrets;
}

/** A text with a secret is not published at all, not even with the secret taken out (T19). */
export function requireNoSecret(
  { findSecrets }: Pick<PublishDeps, "findSecrets">,
  where: string,
  text: string,
): void {
  const [found] = findSecrets(text);
  if (found === undefined) return;
  throw new RalphError("firewall", {
    message: `The text of the ${where} holds ${found}, so it was not published.`,
    remedy:
      "Replace the secret, find out how it came into the task list or an agent's words, then run again.",
  });
}
