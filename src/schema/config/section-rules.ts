import { ShortName } from "../base/fields.ts";
import { errorAt, type Finding, warningAt } from "../base/finding.ts";
import { nearest } from "../base/nearest.ts";
import { agentRoles } from "./agents.ts";
import type { ConfigRule, ConfigSketch } from "./config-sketch.ts";
import { gateLevels } from "./gates.ts";

/** Rules about branches and pull requests, the sandbox and its keys, and values that other tools refuse. */
export const sectionRules: ConfigRule[] = [
  ...[qualifiedBranch, longTitle, strangePlaceholders],
  ...[uncagedKeys, uncagedNetwork],
  ...[oddGates, oddTimes],
];

/** Git would look for a branch with exactly this name, including the prefix. */
function qualifiedBranch({ git }: ConfigSketch): Finding[] {
  if (!git) return [];
  const { base_branch: branch, remote } = git;
  const at = ["git", "base_branch"];
  const [, name] = /^refs\/(?:heads|remotes\/[^/]+)\/(.+)$/.exec(branch) ?? [];
  if (name !== undefined) return [errorAt(at, `must be the short name; write ${name}`)];
  if (/^(?:HEAD|@)$/.test(branch)) return [errorAt(at, "must be the name of a branch; write main")];
  if (!branch.startsWith(`${remote}/`)) return [];
  const short = branch.slice(remote.length + 1);
  return [warningAt(at, `begins with the name of the remote; is "${short}" meant?`)];
}

function longTitle({ pr }: ConfigSketch): Finding[] {
  if (!pr || !/[\r\n]/.test(pr.title_template.trim())) return [];
  return [errorAt(["pr", "title_template"], "must be one line")];
}

const placeholders = [
  "priority_item",
  "description",
  "rationale",
  "task_summary",
  "acceptance_criteria",
  "tasks_completed",
  "tasks_total",
];

/** Unknown placeholders stay in the text (compatibility 1.21), so a warning reports misspelt ones. */
function strangePlaceholders({ pr }: ConfigSketch): Finding[] {
  const templates = { title_template: pr?.title_template, body_template: pr?.body_template };
  return Object.entries(templates).flatMap(([key, template = ""]) => {
    const names = [...template.matchAll(/\{([a-z][a-z_]*)\}/gi)].map(([, name = ""]) => name);
    return [...new Set(names)]
      .filter((name) => !placeholders.includes(name))
      .map((name) => warningAt(["pr", key], `holds {${name}}, which stays as it is${meant(name)}`));
  });
}

function meant(name: string): string {
  const known = nearest(name.toLowerCase(), placeholders);
  return known ? `; did you mean {${known}}?` : "";
}

/** The proxy that puts a key in is the only way out of the sandbox. */
function uncagedKeys({ agents, sandbox }: ConfigSketch): Finding[] {
  if (agents?.credentials !== "proxied" || sandbox?.mode !== "off") return [];
  const message = 'is "proxied", which needs the sandbox; sandbox.mode is off';
  return [errorAt(["agents", "credentials"], message)];
}

function uncagedNetwork({ agents, sandbox }: ConfigSketch): Finding[] {
  if (!sandbox) return [];
  const { mode, network } = sandbox;
  const isClosed = network.mode !== "host" || network.gates !== "host";
  if (mode === "off" && isClosed)
    return [warningAt(["sandbox", "network"], "has no effect: sandbox.mode is off")];
  const isIdle =
    network.mode !== "cage" && network.gates !== "cage" && agents?.credentials !== "proxied";
  return isIdle && network.allow.length > 0
    ? [warningAt(["sandbox", "network", "allow"], "has no effect: the network is no cage")]
    : [];
}

/** Names and times that the specification allows and other tools refuse (compatibility 1.11, 1.13, 1.14). */
function oddGates({ gates }: ConfigSketch): Finding[] {
  return gateLevels.flatMap((level) =>
    (gates?.[level] ?? []).flatMap(({ name, timeout_seconds }, at) => [
      ...oddName(["gates", level, at, "name"], name),
      ...oddTime(["gates", level, at, "timeout_seconds"], timeout_seconds, usual.gate),
    ]),
  );
}

function oddTimes({ agents, limits, services = {} }: ConfigSketch): Finding[] {
  return [
    ...agentRoles.flatMap((role) =>
      oddTime(["agents", role, "timeout"], agents?.[role].timeout, usual.call),
    ),
    ...oddTime(["limits", "claude_timeout"], limits?.claude_timeout, usual.call),
    ...Object.entries(services).flatMap(([name, { timeout }]) =>
      oddTime(["services", name, "timeout"], timeout, usual.service),
    ),
  ];
}

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
