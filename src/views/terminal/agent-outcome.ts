import type { FactOf } from "../../core/state/event.ts";

/** `answered (task-done)`, `answered (signal missing)`, `failed (agent: exit code 1)`. */
export function describeOutcome({ outcome, signal }: FactOf<"agent_end">): string {
  switch (outcome.kind) {
    case "answered":
      return `answered (${signal.kind === "valid" ? signal.name : `signal ${signal.kind}`})`;
    case "failed":
      return `failed (${outcome.class}: ${outcome.message})`;
    case "limited":
      return `limited (${outcome.message})`;
    case "cancelled":
      return "cancelled";
  }
}
