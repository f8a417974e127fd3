import { errorAt, type Finding, warningAt } from "../base/finding.ts";
import type { ConfigRule, ConfigSketch } from "./config-sketch.ts";

/** Rules about the autopilot and its triggers. */
export const autopilotRules: ConfigRule[] = [crossedCounts, idleSchedule, sharedLabel];

function crossedCounts({ autopilot }: ConfigSketch): Finding[] {
  if (!autopilot) return [];
  const { min_count, max_count } = autopilot.tasks;
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
  if (triggers?.label.toLowerCase() !== triggers?.autopilot_label.toLowerCase()) return [];
  if (!triggers) return [];
  const message = `is "${triggers.autopilot_label}", the same as triggers.label; use two labels`;
  return [errorAt(["triggers", "autopilot_label"], message)];
}
