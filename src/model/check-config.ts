import { checkClosed } from "./check-closed.ts";
import { type Checked, conclude } from "./check-shape.ts";
import { agentRules } from "./config/agent-rules.ts";
import { autopilotRules } from "./config/autopilot-rules.ts";
import { gateRules } from "./config/gate-rules.ts";
import { limitRules } from "./config/limit-rules.ts";
import { pathRules } from "./config/path-rules.ts";
import { publishingRules } from "./config/publishing-rules.ts";
import { serviceRules } from "./config/service-rules.ts";
import { Config } from "./config.ts";
import { ConfigSketch } from "./config-sketch.ts";
import { errorAt } from "./finding.ts";
import { nameForeignConfig } from "./foreign-config.ts";

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
