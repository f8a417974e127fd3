import { errorAt, type Finding, warningAt } from "../base/finding.ts";
import { nearest } from "../base/nearest.ts";
import type { ConfigRule, ConfigSketch } from "./config-sketch.ts";

/** Rules about branches and pull requests. */
export const publishingRules: ConfigRule[] = [qualifiedBranch, longTitle, strangePlaceholders];

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
