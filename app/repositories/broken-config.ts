import { RalphError } from "../../src/error.ts";
import { httpStatusOf } from "../../src/github/api/to-ralph-error.ts";

/** Whether the configuration itself is wrong, and not the way to it: another attempt would find it just as broken. */
export const isConfigBroken = (error: unknown): error is RalphError =>
  error instanceof RalphError && error.reason === "config" && httpStatusOf(error) === undefined;
