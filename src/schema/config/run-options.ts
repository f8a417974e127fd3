import * as z from "zod";
import { Count, ModelName, UsdAmount } from "../base/fields.ts";
import { AgentTimeout } from "./agents.ts";
import { gateChoices } from "./gates.ts";
import { Limits } from "./limits.ts";
import { Sandbox } from "./safety.ts";
import { serviceEnvs } from "./services.ts";

const text = z.string().optional();
const flag = z.boolean().optional();
const model = ModelName.optional();

/** The options of a run: the written form of each, and its value. Times in seconds, costs in US dollars. */
export const RunOptions = z.object({
  prdJson: text,
  cr: text,
  latestCr: flag,
  task: text,
  fromTask: text,
  maxIterations: Count.pipe(Limits.shape.max_iterations.unwrap()).optional(),
  gates: z.enum(gateChoices).optional(),
  modelImpl: model,
  modelTest: model,
  modelReview: model,
  agent: text,
  timeout: AgentTimeout.optional(),
  parallel: Count.pipe(Limits.shape.parallel.unwrap()).optional(),
  budget: UsdAmount.optional(),
  maxRuntime: Limits.shape.max_runtime.unwrap().unwrap().optional(),
  keepGoing: flag,
  env: z.enum(serviceEnvs).optional(),
  postVerify: flag,
  uiVerify: flag,
  robotVerify: flag,
  fix: flag,
  /** True for the newest unfinished session, or the folder of a bundle. */
  resume: z.union([z.string(), z.literal(true)]).optional(),
  dryRun: flag,
  /** Only in a job: the sandbox, the branch pull requests go to, and the minutes the job may take. */
  sandbox: Sandbox.shape.mode.unwrap().optional(),
  baseBranch: text,
  /** Only in an autopilot run: a stranger may have written what it works on. */
  untrusted: z.literal(true).optional(),
  jobMinutes: z.number().optional(),
});
export type RunOptions = z.output<typeof RunOptions>;
