import type { Actor } from "../../src/schema/work-request.ts";
import type { Place } from "../access/place.ts";
import { mayTrigger, type Trigger, type Verdict } from "../rules/authority.ts";
import { identifyActor } from "../rules/identify-actor.ts";
import type { RunParts } from "./run-parts.ts";

/** Whether an account may trigger something in a repository, by its permission now (T29). */
export async function judgeActor(
  { access, bots }: Pick<RunParts, "access" | "bots">,
  place: Place,
  { actor, trigger }: { actor?: Actor | undefined; trigger: Trigger },
): Promise<Verdict> {
  const { id: selfId } = await access.self(place);
  return mayTrigger(
    trigger,
    await identifyActor(await access.github(place), actor, { selfId, bots }),
  );
}
