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
 * Everything that is wrong or odd with a configuration, at once (specs 004 8.1). Whether a driver exists is
 * for those who know the drivers, whether a gate's condition is met for those who see the files.
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
