import { codeSpan, escapeMarkdown } from "../../text/escape-markdown.ts";
import { counted, shortCommit } from "../../text/figures.ts";
import { plainLine } from "../../text/plain-text.ts";

/** How a session's head stands to the base branch at the moment it is published. */
export interface BaseStatus {
  /** `current`: the base branch has nothing the head lacks. `merges`: as far as the text of the files goes. */
  kind: "current" | "merges" | "conflict" | "unknown";
  branch: string;
  /** Where the base branch stands; empty where that is not known. */
  commit: string;
  /** Commits of the base branch that the head lacks. */
  since: number;
  conflicts: readonly string[];
  /** The merge the clean room has run gates and criteria on, and what does not hold there. */
  proved?: { commit: string; holds: boolean; red: readonly string[] };
  /** Commits that came to the base branch after that one. */
  newer?: number | undefined;
}

const maxNames = 10;

/** One sentence for the pull request; none where there is nothing to tell. Pure. */
export function baseLines(news: BaseStatus | undefined): string[] {
  if (!news || news.kind === "current") return [];
  const { kind, since, conflicts, proved } = news;
  const branch = codeSpan(plainLine(news.branch));
  const at = codeSpan(shortCommit(news.commit));
  if (kind === "unknown") return [`Whether this merges with ${branch} as it is now is not known.`];
  const came = `${branch} got ${counted(since, "commit")} this work does not have, up to ${at}`;
  if (kind === "conflict") {
    const files = listed(conflicts, (path) => codeSpan(plainLine(path)));
    return [`**It does not merge**: ${came}, and both sides changed ${files}.`];
  }
  if (!proved) return [`${came}. It merges without a conflict; no gate has run on the merge.`];
  const red = listed(proved.red, (name) => escapeMarkdown(plainLine(name)));
  const merged = `the merge with ${branch} at ${codeSpan(shortCommit(proved.commit))}`;
  const first = proved.holds ? `Proved also on ${merged}` : `**Red on ${merged}**: ${red}`;
  return [`${first}${newerWords(news)}.`];
}

const newerWords = ({ newer = 0 }: BaseStatus) =>
  newer > 0 ? `; ${counted(newer, "commit")} came since, without a conflict` : "";

/** Why a pull request is not ready for review as the base branch is now; undefined: it may be. Pure. */
export function baseObjection(news: BaseStatus | undefined): string | undefined {
  if (!news) return undefined;
  const { kind, branch, conflicts, proved } = news;
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
