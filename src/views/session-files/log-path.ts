import type { Role } from "../../core/state/event.ts";

const prefixes: Record<Role, string> = {
  implementation: "impl",
  test_writing: "test",
  review: "review",
  fix: "fix",
  planning: "plan",
};

/** `logs/impl-T-001.log` (specs 004 4.3), below the session directory. */
export function agentLogPath(role: Role, task: string): string {
  return `logs/${prefixes[role]}-${task}.log`;
}

export function gateLogPath(task: string): string {
  return `logs/gates-${task}.log`;
}
