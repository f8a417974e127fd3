import { takeLock } from "../door/take-lock.ts";
import { stopReasons } from "../error.ts";
import { planSession, publishSession } from "../github/publish-session.ts";
import { newSessionId } from "../loop/session-id.ts";
import type { Run } from "../run/run.ts";
import { choosePublished } from "./choose-published.ts";
import type { Action, CommandContext } from "./command.ts";
import type { PublishOptions } from "./publish.ts";
import { planJson, publishedJson, renderPlan } from "./publish-text.ts";
import { wishFor } from "./publish-wish.ts";

/** Publishes the session that is chosen, or shows what that would be. */
export const publishChosen: Action<PublishOptions> = async (context, options) => {
  const { system, output } = context;
  const session = await choosePublished(context, options.bundle);
  if (options.dryRun) {
    const wish = await wishFor(context, session, "look");
    const story = await planSession(system, wish);
    if (output.wantsJson) output.json(planJson(story, wish));
    else output.result(renderPlan(story, wish));
    return 0;
  }
  // A session that begins meanwhile would move the branch that is published.
  const { store } = session.place;
  await using _ = session.isOwn ? await takeLock(system, store, newSessionId(system)) : undefined;
  const wish = await wishFor(context, session, options.pr === false ? "push" : "pull");
  const published = await publishSession(system, wish);
  if (output.wantsJson) output.json(publishedJson(published, session.run));
  return conclude(session.run, context);
};

/** Published is published, whatever the session came to; only one that is to go on says so. */
function conclude({ end }: Run, { output }: CommandContext): number {
  if (end?.reason !== "checkpoint") return stopReasons.all_done;
  output.progress("The session is not over: go on with `ralph run --resume`, then publish again.");
  return stopReasons.checkpoint;
}
