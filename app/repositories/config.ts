import { RalphError } from "../../src/error.ts";
import { httpStatusOf } from "../../src/github/api/to-ralph-error.ts";
import type { Config } from "../../src/schema/config/config.ts";
import type { Access } from "../access/access.ts";
import type { Place } from "../access/place.ts";

/** Whether the configuration itself is invalid: a retry would find it just as broken. */
export const isConfigBroken = (error: unknown): error is RalphError =>
  error instanceof RalphError && error.reason === "config" && httpStatusOf(error) === undefined;

/** `broken`: `problem` lists its errors. */
export type ConfigState =
  | { kind: "valid"; config: Config }
  | { kind: "missing" }
  | { kind: "broken"; problem: string };

/** The configuration on the default branch, or its errors. */
export async function readConfigState(
  access: Pick<Access, "config">,
  place: Place,
): Promise<ConfigState> {
  try {
    const config = await access.config(place);
    return config ? { kind: "valid", config } : { kind: "missing" };
  } catch (error) {
    if (!isConfigBroken(error)) throw error;
    return { kind: "broken", problem: error.message };
  }
}

/** The configuration on the default branch; undefined when it is missing or invalid. */
export async function readValidConfig(
  access: Pick<Access, "config">,
  place: Place,
): Promise<Config | undefined> {
  const state = await readConfigState(access, place);
  return state.kind === "valid" ? state.config : undefined;
}
