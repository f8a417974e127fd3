import * as z from "zod";
import { type Checked, checkClosed, conclude } from "../base/check-shape.ts";
import { errorAt, type Finding, warningAt } from "../base/finding.ts";
import { nearest } from "../base/nearest.ts";
import { type Agents, agentRoles } from "./agents.ts";
import { Config } from "./config.ts";
import { type ConfigRule, ConfigSketch } from "./config-sketch.ts";
import { gateRules } from "./gate-rules.ts";
import { pathRules } from "./path-rules.ts";
import { sectionRules } from "./section-rules.ts";
import { serviceRules } from "./service-rules.ts";

const rules: readonly ConfigRule[] = [
  ...gateRules,
  ...serviceRules,
  ({ agents }) => (agents ? [...strangeModels(agents), ...ignoredTools(agents)] : []),
  ...[crossedPauses, crossedBudgets, crossedTimes],
  ...pathRules,
  ...[crossedCounts, idleSchedule, sharedLabel],
  ...sectionRules,
];

/** All errors and warnings of a configuration (specs 004 8.1). Callers check whether drivers exist and conditions match. */
export function checkConfig(value: unknown): Checked<Config> {
  const product = nameForeignConfig(value);
  if (product) return { data: undefined, findings: [errorAt([], foreign(product))] };
  const sketch = ConfigSketch.safeParse(value);
  const ruled = sketch.success ? rules.flatMap((rule) => rule(sketch.data)) : [];
  return conclude(checkClosed(Config, value), ruled);
}

const foreign = (product: string) =>
  `holds none of task_source, gates and git, so it belongs to ${product}; move it elsewhere and run \`ralph init\``;

/** Aliases of the program, and full names, also as gateways and clouds write them. */
const claudeModel = /claude|^(?:default|haiku|inherit|opus|opusplan|sonnet)(?:\[\w+\])?$/i;

/** Specs 004 8.1.6 requires Claude models; gateways offer others, so this is only a warning (compatibility 1.14). */
function strangeModels(agents: Agents): Finding[] {
  return agentRoles.flatMap((role) => {
    const { model, driver, command } = agents[role];
    const isOurs = driver !== "claude" || command !== undefined;
    if (isOurs || model === undefined || claudeModel.test(model)) return [];
    const message = `is "${model}", not the name of a Claude model; the driver "claude" may refuse it`;
    return warningAt(["agents", role, "model"], message);
  });
}

/** Drivers that pass `allowed_tools` on; an unknown driver is refused elsewhere. */
const listsTools = ["claude"];

/** An ignored list is worse than none, because the user depends on it (src/agents/README.md). */
function ignoredTools(agents: Agents): Finding[] {
  return agentRoles.flatMap((role) => {
    const { allowed_tools, driver } = agents[role];
    if (allowed_tools.length === 0 || listsTools.includes(driver)) return [];
    const message = `is ignored: the driver "${driver}" cannot be given a list of tools; remove it, or use the driver "claude"`;
    return warningAt(["agents", role, "allowed_tools"], message);
  });
}

function crossedCounts({ autopilot }: ConfigSketch): Finding[] {
  const { min_count = 0, max_count = 0 } = autopilot?.tasks ?? {};
  if (min_count <= max_count) return [];
  const message = `is ${min_count}, more than max_count, which is ${max_count}`;
  return [errorAt(["autopilot", "tasks", "min_count"], message)];
}

function idleSchedule({ autopilot }: ConfigSketch): Finding[] {
  if (!autopilot?.schedule || autopilot.enabled) return [];
  const message = "starts nothing while autopilot.enabled is false";
  return [warningAt(["autopilot", "schedule"], message)];
}

/** GitHub's labels ignore case. */
function sharedLabel({ triggers }: ConfigSketch): Finding[] {
  if (!triggers || triggers.label.toLowerCase() !== triggers.autopilot_label.toLowerCase())
    return [];
  const message = `is "${triggers.autopilot_label}", the same as triggers.label; use two labels`;
  return [errorAt(["triggers", "autopilot_label"], message)];
}

/** Keys of other products; files of the same name are common among tools that run agents in a loop. */
const products: readonly { name: string; keys: readonly string[] }[] = [
  {
    name: "mikeyobrien/ralph-orchestrator",
    keys: ["event_loop", "hats", "adapters", "cli", "core", "prompt_file", "completion_promise"],
  },
  {
    name: "compound-product",
    keys: ["reportsDir", "qualityChecks", "branchPrefix", "analyzeCommand", "outputDir"],
  },
  { name: "Docker Compose", keys: ["networks", "volumes"] },
  { name: "GitHub Actions", keys: ["jobs", "runs-on", "on"] },
];

const required = ["task_source", "gates", "git"];

/** The program of a foreign configuration, without any required key: one sentence says more than a list of missing keys. */
function nameForeignConfig(value: unknown): string | undefined {
  const keys = Object.keys(z.record(z.string(), z.unknown()).safeParse(value).data ?? {});
  const strange = keys.filter((key) => !Object.hasOwn(Config.shape, key));
  const isOurs = (key: string) => required.includes(key) || nearest(key, required) !== undefined;
  if (strange.length === 0 || keys.some(isOurs)) return undefined;
  const product = products.find((each) => each.keys.some((key) => strange.includes(key)));
  return product?.name ?? "another program";
}

function crossedPauses({ breaker }: ConfigSketch): Finding[] {
  if (!breaker || breaker.backoff <= breaker.backoff_max) return [];
  return [errorAt(["breaker", "backoff"], "is longer than breaker.backoff_max")];
}

/** The smaller budget ends the run first, so a larger one has no effect. */
function crossedBudgets({ limits }: ConfigSketch): Finding[] {
  if (!limits) return [];
  const pairs = [
    ["budget_usd_per_task", "budget_usd"],
    ["budget_usd", "budget_usd_per_day"],
  ] as const;
  return pairs
    .filter(([part, whole]) => (limits[part] ?? 0) > (limits[whole] ?? Number.POSITIVE_INFINITY))
    .map(([part, whole]) =>
      warningAt(["limits", part], `is more than limits.${whole}, so it is never reached`),
    );
}

function crossedTimes({ limits }: ConfigSketch): Finding[] {
  const { claude_timeout: call = 0, max_runtime: all } = limits ?? {};
  if (typeof all !== "number" || call <= all) return [];
  const message = `is shorter than limits.claude_timeout (${call} s), the time of one agent call`;
  return [warningAt(["limits", "max_runtime"], message)];
}
