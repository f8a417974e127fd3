import * as z from "zod";
import { RalphError } from "../../error.ts";
import { branchNameProblem } from "../../git/commits/branch-name.ts";
import type { Environment } from "../../platform/system.ts";
import { checkShape } from "../../schema/base/check-shape.ts";
import { Count, GitBranch } from "../../schema/base/fields.ts";
import { RunOptions } from "../../schema/config/run-options.ts";

const options = RunOptions.shape;
const text = z.string().optional();
const yesOrNo = z
  .enum(["true", "false"], 'must be "true" or "false"')
  .transform((answer) => answer === "true");
const runId = z.string().regex(/^\d{1,20}$/, "must be the id of a workflow run, digits only");
const commentIds = z
  .string()
  .regex(/^[1-9]\d{0,14}(?:,[1-9]\d{0,14}){0,99}$/, "must be ids of comments, such as 123,456")
  .transform((ids) => ids.split(",").map(Number));

const names = z.string().transform((list) =>
  list
    .split(",")
    .map((name) => name.trim())
    .filter(Boolean),
);

/** The short name of a branch, which git cannot read as an option or another kind of ref. */
const branchName = GitBranch.refine(
  (name) => branchNameProblem(name) === undefined,
  "must be the short name of a branch, such as main or release/1.0",
);

/** The name of `prove` up to version 1; since then the command line has another command of this name. */
const oldProve = "verify";

/** Whether the workflow still uses it. */
export const hasOldName = (env: Environment) => env[variableOf("command")]?.trim() === oldProve;

/** Every input of action.yml as a user writes it, and its value; an empty input is not given (design 8). */
const Inputs = z.strictObject({
  command: z
    .enum(["run", "autopilot", "begin", "prove", oldProve, "publish", "claim", "release"])
    .default("run")
    .transform((command) => (command === oldProve ? "prove" : command)),
  mode: z.enum(["all", "run", "publish"]).default("all"),
  config: text,
  "prd-json": text,
  "reports-dir": text,
  report: text,
  "issue-number": z
    .string()
    .regex(/^[1-9]\d{0,9}$/, "must be the number of an issue")
    .transform(Number)
    .optional(),
  "base-branch": branchName.optional(),
  branch: text,
  agent: text,
  "agent-command": text,
  "agent-version": z
    .string()
    .regex(/^\d+\.\d+\.\d+(?:-[0-9A-Za-z.-]+)?$/, "must be one exact version, such as 2.1.329")
    .optional(),
  "model-impl": options.modelImpl,
  "model-test": options.modelTest,
  "model-review": options.modelReview,
  gates: options.gates,
  "max-iterations": options.maxIterations,
  parallel: options.parallel,
  env: options.env,
  "post-verify": z
    .enum(["auto", "true", "false"], 'must be "auto", "true" or "false"')
    .transform((answer) => (answer === "auto" ? undefined : answer === "true"))
    .optional(),
  "budget-usd": options.budget,
  "timeout-minutes": Count.pipe(
    z.int().max(7200, "must be at most 7200, the five days a job may take"),
  ).optional(),
  "resume-from": runId.optional(),
  orders: commentIds.optional(),
  sandbox: options.sandbox,
  "session-artifact": yesOrNo.default(true),
  "artifact-suffix": z
    .string()
    .regex(
      /^[A-Za-z0-9][A-Za-z0-9_.-]{0,49}$/,
      "must be letters, digits, `-`, `_` or `.`, at most 50",
    )
    .optional(),
  "create-pr": yesOrNo.default(true),
  draft: yesOrNo.default(false),
  comment: yesOrNo.default(true),
  labels: names.default([]),
  reviewers: names.default([]),
  assignees: names.default([]),
  "keep-going": yesOrNo.default(false),
  verbose: yesOrNo.default(false),
  "working-directory": text,
  "dry-run": yesOrNo.default(false),
});
export type Inputs = z.output<typeof Inputs>;

/** Names of all inputs except the secrets. */
export const inputNames = Object.keys(Inputs.shape);

/** The variable that carries an input: no expression is part of a shell line (T52). */
export const variableOf = (input: string) => `INPUT_${input.replaceAll("-", "_").toUpperCase()}`;

/** Reads and checks all inputs; exit 1 names every wrong one. */
export function readInputs(env: Environment): Inputs {
  const given = inputNames.flatMap((name) => {
    const value = env[variableOf(name)]?.trim() || foundBefore(name, env);
    return value ? [[name, value] as const] : [];
  });
  const shape = checkShape(Inputs, Object.fromEntries(given));
  const wrong =
    shape.kind === "invalid"
      ? shape.findings.map(({ path, message }) => `${String(path[0])}: ${message}`)
      : conflictsOf(shape.data);
  if (shape.kind === "valid" && wrong.length === 0) return shape.data;
  throw new RalphError("config", {
    message: wrong.map((line) => `Input ${line}.`).join("\n"),
    remedy: "Correct these inputs under `with:` in the workflow.",
  });
}

/** The session that an earlier step found to continue counts like one that the workflow names. */
const foundBefore = (name: string, { RALPH_RESUME_FROM: runId }: Environment) =>
  name === "resume-from" ? runId : undefined;

/** Inputs that are valid alone and contradict each other. */
function conflictsOf(inputs: Inputs): string[] {
  const { report, "dry-run": dryRun, "resume-from": resumeFrom } = inputs;
  const lines = Object.entries(inputs).flatMap(([name, value]) =>
    typeof value === "string" && /[\r\n\0]/.test(value) ? [`${name}: must be a single line`] : [],
  );
  if (dryRun && resumeFrom)
    lines.push("dry-run: previews a new run; it cannot be combined with resume-from");
  if (report && inputs["issue-number"])
    lines.push("report: a run works on one item; it cannot be combined with issue-number");
  return [...lines, ...modeConflicts(inputs), ...misplaced(inputs)];
}

function modeConflicts({ mode, command }: Inputs): string[] {
  if (commands[command].modes.includes(mode)) return [];
  const reason = mode === "run" ? "run has no token" : "publish only publishes";
  return [`mode: ${reason}; it cannot be combined with command: ${command}`];
}

function misplaced(inputs: Inputs): string[] {
  const { mode, command } = inputs;
  const { takes } = commands[command];
  const taken = mode === "publish" ? takes.filter((name) => published.includes(name)) : takes;
  return Object.entries(special).flatMap(([name, what]) =>
    inputs[name as keyof Inputs] && !taken.includes(name) ? [`${name}: ${what}`] : [],
  );
}

const forWork = "only applies to a job that works through the tasks";
const forAutopilot = "only applies to command: autopilot";

/** Inputs that only some jobs use, and the text for a job that would ignore them. */
const special: Partial<Record<keyof Inputs, string>> = {
  "dry-run": forWork,
  "resume-from": forWork,
  orders: forWork,
  "agent-command": forWork,
  "agent-version": forWork,
  "prd-json": "an autopilot writes its own list, to the path in `autopilot.tasks.output`",
  "reports-dir": forAutopilot,
  report: forAutopilot,
  "issue-number": forAutopilot,
  branch: forAutopilot,
  "base-branch": "only applies to a job that works, proves or publishes",
};

type Command = { modes: readonly Inputs["mode"][]; takes: readonly string[] };

const source = ["reports-dir", "report", "issue-number", "branch"];
const work = [
  ...["dry-run", "resume-from", "orders", "agent-command", "agent-version"],
  "base-branch",
];

/** The special inputs a publishing job reads. */
const published = ["prd-json", "branch", "base-branch"];

/** The modes of each command, and the special inputs it reads. */
const commands: Record<Inputs["command"], Command> = {
  run: { modes: ["all", "run", "publish"], takes: [...work, "prd-json"] },
  autopilot: { modes: ["all", "run", "publish"], takes: [...work, ...source] },
  begin: { modes: ["all"], takes: ["prd-json", "base-branch", "resume-from"] },
  prove: { modes: ["all", "run"], takes: ["prd-json", "base-branch"] },
  publish: { modes: ["all", "publish"], takes: published },
  claim: { modes: ["all"], takes: ["reports-dir", "report", "issue-number", "resume-from"] },
  release: { modes: ["all"], takes: [] },
};
