import { RalphError } from "../../src/error.ts";
import { httpStatusOf } from "../../src/github/api/to-ralph-error.ts";
import type { Config } from "../../src/schema/config/config.ts";
import type { Access } from "../access/access.ts";
import type { Place } from "../access/place.ts";

/** Whether the configuration itself is invalid: a retry would find it just as broken. */
export const isConfigBroken = (error: unknown): error is RalphError =>
  error instanceof RalphError && error.reason === "config" && httpStatusOf(error) === undefined;

/** The configuration on the default branch; undefined when it is missing or invalid. */
export async function readValidConfig(
  access: Pick<Access, "config">,
  place: Place,
): Promise<Config | undefined> {
  try {
    return await access.config(place);
  } catch (error) {
    if (!isConfigBroken(error)) throw error;
    return undefined;
  }
}
