import { type CompoundConfig, gatesOf } from "../../schema/tasks/foreign/compound.ts";
import type { DetectedProject } from "../detect/detect-project.ts";
import { renderConfig } from "./render-config.ts";
import { yamlText } from "./yaml-text.ts";

/** `.ralph/ralph.yml` from a `compound.config.json` (specs 004 9.2) and the detected project. Pure. */
export function renderCompound(compound: CompoundConfig, detected: DetectedProject): string {
  const gates = gatesOf(compound).map((gate) => ({ ...gate, role: "test" as const }));
  // A compound-product check has no condition: a missing tool is red, not skipped.
  const own = { ...detected, gates, remarks: [] };
  const text = renderConfig(gates.length > 0 ? own : detected);
  const { reportsDir, branchPrefix, maxIterations } = compound;
  const autopilot = [
    "# From compound.config.json.",
    "autopilot:",
    "  enabled: true",
    `  reports_dir: ${yamlText(reportsDir)}`,
    `  branch_prefix: ${yamlText(prefixFrom(branchPrefix))}`,
    "  create_pr: true",
  ];
  const limits = [
    "# In compound.config.json this limits the whole run; here it limits each task.",
    "limits:",
    `  max_iterations: ${Math.min(maxIterations ?? 0, 1000)}`,
  ];
  const parts = [text, `${autopilot.join("\n")}\n`];
  return (maxIterations === undefined ? parts : [...parts, `${limits.join("\n")}\n`]).join("\n");
}

/** A branch prefix has only lower-case letters, digits, hyphens and slashes. */
function prefixFrom(prefix: string): string {
  const plain = prefix.toLowerCase().replace(/[^a-z0-9/-]+/g, "-");
  return plain.replace(/^[/-]+/, "") || "ralph/";
}
