import type { PublishOutcome, PublishRun } from "../../autopilot/run/run-request.ts";
import { RalphError } from "../../error.ts";
import type { PublishRequest } from "../../github/publication/publish-request.ts";
import { publishSession } from "../../github/publish/publish-session.ts";
import type { CommandContext } from "../core/command.ts";
import { chooseSession } from "./choose-published.ts";
import { publishRequestFor } from "./publish-request.ts";

/**
 * Publishes what an autopilot run has made, as `ralph publish` does. On a machine that knows no remote or no token that
 * is left to the one who has them; work that is done does not fail for it.
 */
export function publisherIn(context: CommandContext): PublishRun {
  return async () => {
    const wish = await readyWish(context);
    if ("kind" in wish) return wish;
    const { pull, lowValueReason: unwanted } = await publishSession(context.system, wish);
    if (pull) return { kind: "published", url: pull.url };
    if (unwanted) return { kind: "left", next: `Nothing was published: ${unwanted}.` };
    return { kind: "left", next: "The branch is pushed; no pull request was opened." };
  };
}

async function readyWish(
  context: CommandContext,
): Promise<PublishRequest | (PublishOutcome & { kind: "left" })> {
  try {
    return await publishRequestFor(context, await chooseSession(context), "pull");
  } catch (error) {
    if (!(error instanceof RalphError)) throw error;
    return {
      kind: "left",
      next: `Nothing was published: ${error.message} ${error.remedy} Then \`ralph publish\`.`,
    };
  }
}
