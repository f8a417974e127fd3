import { checkClosed } from "../base/check-closed.ts";
import { type Checked, conclude } from "../base/check-shape.ts";
import { errorAt } from "../base/finding.ts";
import { agentRules } from "./agent-rules.ts";
import { autopilotRules } from "./autopilot-rules.ts";
import { Config } from "./config.ts";
import { ConfigSketch } from "./config-sketch.ts";
import { nameForeignConfig } from "./foreign-config.ts";
import { gateRules } from "./gate-rules.ts";
import { limitRules } from "./limit-rules.ts";
import { pathRules } from "./path-rules.ts";
import { publishingRules } from "./publishing-rules.ts";
import { serviceRules } from "./service-rules.ts";

const rules = [
  ...gateRules,
  ...serviceRules,
  ...agentRules,
  ...limitRules,
  ...pathRules,
  ...autopilotRules,
  ...publishingRules,
];

/**
 * All errors and warnings of a configuration at once (specs 004 8.1). Callers that know the drivers and the files check
 * whether a driver exists and whether a gate's condition matches anything.
 */
export function checkConfig(value: unknown): Checked<Config> {
  const product = nameForeignConfig(value);
  if (product) return { data: undefined, findings: [errorAt([], foreign(product))] };
  const sketch = ConfigSketch.safeParse(value);
  const ruled = sketch.success ? rules.flatMap((rule) => rule(sketch.data)) : [];
  return conclude(checkClosed(Config, value), ruled);
}

const foreign = (product: string) =>
  `holds none of task_source, gates and git, so it belongs to ${product}; move it elsewhere and run \`ralph init\``;
