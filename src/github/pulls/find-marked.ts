import type { PullMarker } from "../../views/pull-request/pull-marker.ts";
import type { ApiRequest, GitHub } from "../api/create-github.ts";
import { eachPage, listAll } from "../api/list-pages.ts";
import type { Viewer } from "../api/viewer.ts";
import {
  markerOf,
  type Pull,
  type PullQuery,
  type PullStatus,
  Pulls,
  pullStatusOf,
} from "./pull.ts";

const purpose = {
  act: "list the pull requests",
  permission: "pull-requests: read",
  reason: "pr",
} as const;

/** Newest first, so that whoever looks for a run can stop where it began. */
const listing = (parameters: Readonly<Record<string, string>>): ApiRequest => ({
  route: "GET /repos/{owner}/{repo}/pulls",
  parameters: { sort: "created", direction: "desc", ...parameters },
  purpose,
});

/** How a run stands: by its branch, by everything that is open, and by what was closed since it began. */
export async function findPullStatus(github: GitHub, claimed: PullQuery): Promise<PullStatus> {
  const onBranch = await listBranch(github, claimed.branch);
  const first = pullStatusOf(onBranch, { ...claimed, maxOpen: Number.POSITIVE_INFINITY });
  if (first.kind !== "none") return first;
  const open = await listAll(github, listing({ state: "open" }), Pulls);
  const closed = await listClosed(github, beginOf(claimed.marker));
  return pullStatusOf([...onBranch, ...open, ...closed], claimed);
}

/** How it stands by its branch alone: one request. */
export async function findOnBranch(github: GitHub, claimed: PullQuery): Promise<PullStatus> {
  const pulls = await listBranch(github, claimed.branch);
  return pullStatusOf(pulls, { ...claimed, maxOpen: Number.POSITIVE_INFINITY });
}

function listBranch(github: GitHub, branch: string): Promise<Pull[]> {
  const [owner] = github.repository.split("/");
  return listAll(github, listing({ state: "all", head: `${owner}:${branch}` }), Pulls);
}

async function listClosed(github: GitHub, since: number): Promise<Pull[]> {
  const found: Pull[] = [];
  for await (const pulls of eachPage(github, listing({ state: "closed" }), Pulls)) {
    found.push(...pulls);
    const last = pulls.at(-1);
    if (last && Date.parse(last.created_at) < since) break;
  }
  return found;
}

const dayMs = 24 * 60 * 60 * 1000;

/** A day before the time in a run's id: clocks differ, and nothing of a run is older than the run. */
function beginOf({ run }: PullMarker): number {
  const [, date = "", time = ""] = /^(\d{8})-(\d{6})/.exec(run) ?? [];
  const day = date.replace(/(....)(..)(..)/, "$1-$2-$3");
  const clock = time.replace(/(..)(..)(..)/, "$1:$2:$3");
  return Date.parse(`${day}T${clock}Z`) - dayMs || 0;
}

/** A pull request of ours with what it is about: the truth about processed reports and rejected items (design 6). */
export interface OwnPull extends PullMarker {
  number: number;
  url: string;
  title: string;
  state: "open" | "merged" | "rejected";
  /** When it was merged, null until then. */
  mergedAt: string | null;
}

/** Every pull request we ever opened in the repository, newest first: reads all there ever were. */
export async function listOwnPulls(github: GitHub, viewer: Viewer): Promise<OwnPull[]> {
  return ownOf(await listAll(github, listing({ state: "all" }), Pulls), viewer);
}

/** How many of ours are open: a page for each hundred that are open, however many there ever were. */
export async function countOpenPulls(github: GitHub, viewer: Viewer): Promise<number> {
  return ownOf(await listAll(github, listing({ state: "open" }), Pulls), viewer).length;
}

function ownOf(pulls: readonly Pull[], viewer: Viewer): OwnPull[] {
  return pulls.flatMap((pull) => {
    const marker = markerOf(pull, viewer);
    if (!marker) return [];
    const { number, html_url: url, title, merged_at: mergedAt = null } = pull;
    const closed = mergedAt === null ? "rejected" : "merged";
    return [
      { ...marker, number, url, title, state: pull.state === "open" ? "open" : closed, mergedAt },
    ];
  });
}
