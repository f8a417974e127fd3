import { ShortName } from "../base/fields.ts";
import { type Finding, warningAt } from "../base/finding.ts";
import { agentRoles } from "./agents.ts";
import type { ConfigRule } from "./config-sketch.ts";
import { gateLevels } from "./gates.ts";

/** Names and times that the specification allows and other tools refuse (compatibility 1.11, 1.13, 1.14). */
export const wideValues: ConfigRule[] = [
  ({ gates }) =>
    gateLevels.flatMap((level) =>
      (gates?.[level] ?? []).flatMap(({ name, timeout_seconds }, at) => [
        ...oddName(["gates", level, at, "name"], name),
        ...oddTime(["gates", level, at, "timeout_seconds"], timeout_seconds, usual.gate),
      ]),
    ),
  ({ agents }) =>
    agentRoles.flatMap((role) =>
      oddTime(["agents", role, "timeout"], agents?.[role].timeout, usual.call),
    ),
  ({ limits }) => oddTime(["limits", "claude_timeout"], limits?.claude_timeout, usual.call),
  ({ services = {} }) =>
    Object.entries(services).flatMap(([name, { timeout }]) =>
      oddTime(["services", name, "timeout"], timeout, usual.service),
    ),
];

/** The seconds that other tools accept. */
const usual = {
  gate: { min: 1, max: 3600 },
  call: { min: 60, max: 7200 },
  service: { min: 1, max: 300 },
};

function oddName(path: PropertyKey[], name: string): Finding[] {
  if (ShortName.safeParse(name).success) return [];
  return [warningAt(path, 'is a name that other tools refuse; they accept a-z, 0-9, "_" and "-"')];
}

function oddTime(
  path: PropertyKey[],
  seconds: number | undefined,
  { min, max }: { min: number; max: number },
): Finding[] {
  if (seconds === undefined || (seconds >= min && seconds <= max)) return [];
  return [warningAt(path, `is ${seconds} seconds; other tools accept ${min} to ${max}`)];
}
