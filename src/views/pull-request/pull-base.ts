import { codeSpan, escapeMarkdown } from "../../text/escape-markdown.ts";
import { counted, shortCommit } from "../../text/figures.ts";
import { plainLine } from "../../text/plain-text.ts";

/** The base branch compared with a session's head when the head is published. */
export interface BaseStatus {
  /** `current`: the head has every commit of the base branch. `merges`: without a textual conflict. */
  kind: "current" | "merges" | "conflict" | "unknown";
  branch: string;
  /** The head of the base branch; empty where it is unknown. */
  commit: string;
  /** Commits of the base branch that the head lacks. */
  since: number;
  conflicts: readonly string[];
  /** The base commit whose merge the clean room has checked, and the gates and criteria that fail on the merge. */
  proved?: { commit: string; holds: boolean; red: readonly string[] };
  /** Commits of the base branch after that one. */
  newer?: number | undefined;
}

const maxNames = 10;

/** One sentence for the pull request; empty when the head is current. */
export function baseLines(base: BaseStatus | undefined): string[] {
  if (!base || base.kind === "current") return [];
  const { kind, since, conflicts, proved } = base;
  const branch = codeSpan(plainLine(base.branch));
  const at = codeSpan(shortCommit(base.commit));
  if (kind === "unknown") return [`It is unknown whether this merges with the current ${branch}.`];
  const ahead = `${branch} has ${counted(since, "new commit")}, up to ${at}`;
  if (kind === "conflict") {
    const files = listed(conflicts, (path) => codeSpan(plainLine(path)));
    return [`**Merge conflict**: ${ahead}, and both sides changed ${files}.`];
  }
  if (!proved) return [`${ahead}. It merges without a conflict; no gate has run on the merge.`];
  const red = listed(proved.red, (name) => escapeMarkdown(plainLine(name)));
  const merged = `the merge with ${branch} at ${codeSpan(shortCommit(proved.commit))}`;
  const result = proved.holds ? `Also proved on ${merged}` : `**Red on ${merged}**: ${red}`;
  const { newer = 0 } = base;
  const later = newer > 0 ? `; ${counted(newer, "later commit")}, without a conflict` : "";
  return [`${result}${later}.`];
}

/** Why the current base branch keeps a pull request from being ready for review; undefined: it does not. */
export function baseObjection(base: BaseStatus | undefined): string | undefined {
  if (!base) return undefined;
  const { kind, branch, conflicts, proved } = base;
  if (kind === "conflict") {
    return `it conflicts with ${branch} in ${listed(conflicts, (path) => plainLine(path))}`;
  }
  if (kind !== "merges" || !proved || proved.holds) return undefined;
  return `${listed(proved.red, (name) => plainLine(name))} did not hold on the merge with ${branch}`;
}

function listed(names: readonly string[], shown: (name: string) => string): string {
  const first = names.slice(0, maxNames).map(shown).join(", ");
  const more = names.length - maxNames;
  return more > 0 ? `${first} and ${more} more` : first;
}
