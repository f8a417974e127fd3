import { RalphError } from "../../error.ts";
import type { Clock } from "../../platform/system.ts";
import type { GitHub } from "../api/create-github.ts";
import type { Viewer } from "../api/viewer.ts";
import type { FindSecrets } from "../verify/find-secrets.ts";

/** Dependencies of everything that writes to GitHub. */
export interface PublishDeps {
  github: GitHub;
  clock: Pick<Clock, "sleep">;
  /** The account behind the token; only its own comments and pull requests are changed. */
  viewer: Viewer;
  /** Checks every text before it is sent (T19). */
  findSecrets: FindSecrets;
}

/** Refuses a text that holds a secret, instead of publishing it with the secret removed (T19). */
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
      "Replace the secret, find out how it got into the task list or an agent's text, then run again.",
  });
}
