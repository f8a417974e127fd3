import { parsePullMarker } from "../../views/pull-request/pull-marker.ts";
import type { GitHub } from "../api/create-github.ts";
import { isInside, listBranchPulls, type Pull } from "../pulls/pull.ts";
import type { BranchPull, NamedBranch } from "./decide-work.ts";

/** More names than any task list uses up. */
const maxNames = 100;

/** `ralph/words`, `ralph/words-2`, `ralph/words-3`, … */
export const nthName = (name: string, index: number) => (index === 1 ? name : `${name}-${index}`);

/**
 * The names of a count that are in use, and the first free one. A name is free without a branch on GitHub and without any
 * pull request that was ever opened from it.
 */
export async function countBranches(
  github: GitHub,
  name: string,
): Promise<{ used: NamedBranch[]; free: string }> {
  const tips = await readTips(github, name);
  const used: NamedBranch[] = [];
  for (let index = 1; index <= maxNames; index++) {
    const candidate = nthName(name, index);
    const tip = tips.get(candidate);
    const pull = decidingPull(await listBranchPulls(github, candidate));
    if (tip === undefined && pull === undefined) return { used, free: candidate };
    used.push({ name: candidate, tip, pull });
  }
  return { used, free: nthName(name, maxNames + 1) };
}

/**
 * A publisher's own answer to whether a session may have worked on `name` for a task list that names `wanted`: it counts
 * the names in use again, and nothing of the session is believed.
 */
export async function acceptCounted(
  github: GitHub,
  wanted: string,
  name: string,
): Promise<boolean> {
  const { used, free } = await countBranches(github, wanted);
  return name === free || used.some((branch) => branch.name === name);
}

async function readTips(github: GitHub, name: string): Promise<Map<string, string>> {
  const { data } = await github.ask(
    { act: "list the branches", permission: "contents: read", reason: "git" },
    ({ rest }) => rest.git.listMatchingRefs({ ...github.repo, ref: `heads/${name}` }),
  );
  return new Map(data.map(({ ref, object }) => [ref.replace("refs/heads/", ""), object.sha]));
}

/** An open pull request decides about a branch, else the newest one. */
function decidingPull(pulls: readonly Pull[]): BranchPull | undefined {
  const inside = pulls.filter(isInside);
  const pull = inside.find(({ state }) => state === "open") ?? inside[0];
  if (pull === undefined) return undefined;
  const { number, html_url: url, merged_at: mergedAt, body } = pull;
  const closed = mergedAt ? "merged" : "closed";
  const isOwn = parsePullMarker(body ?? "") !== undefined;
  return { number, url, state: pull.state === "open" ? "open" : closed, isOwn };
}
