import type { AddCommand } from "./core/command.ts";
import { addEval } from "./eval/eval.ts";
import { addPublish } from "./publish/publish.ts";
import { addRun } from "./run/add-run.ts";
import { addAutopilot } from "./run/autopilot.ts";
import { addVerify } from "./verify/verify.ts";

/** Commands that call agents or GitHub. */
export const workingCommands: Record<string, AddCommand> = {
  run: addRun,
  autopilot: addAutopilot,
  publish: addPublish,
  verify: addVerify,
  eval: addEval,
};
