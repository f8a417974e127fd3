import type { Driver } from "../agents/drivers/driver.ts";
import type { Environment } from "../platform/system.ts";

/** The variables with a driver's credential that are set, as its program would be given them. */
export const credentialNames = ({ credentials: all }: Driver, env: Environment): string[] =>
  all
    .filter(({ when }) => when === undefined || Boolean(env[when]))
    .flatMap(({ names }) => names)
    .filter((name) => Boolean(env[name]));
