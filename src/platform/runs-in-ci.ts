import type { Environment } from "./system.ts";

/** Whether no person works in this checkout. */
export const runsInCi = (env: Environment): boolean =>
  env.CI === "true" || env.GITHUB_ACTIONS === "true";
