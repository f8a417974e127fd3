import { type PullMarker, parsePullMarker } from "../../views/pull-request/pull-marker.ts";
import type { GitHub } from "../api/create-github.ts";
import { type Account, isBy, type Viewer } from "../api/viewer.ts";

type Side = {
  ref: string;
  sha: string;
  /** Null: its fork was deleted, which GitHub's description does not mention. */
  repo: { full_name: string } | null;
};

/** The fields that lists and single answers of the API have in common. */
export interface Pull {
  number: number;
  node_id: string;
  html_url: string;
  state: string;
  draft?: boolean;
  title: string;
  body: string | null;
  user: Account;
  head: Side;
  base: Side;
  created_at: string;
  merged_at: string | null;
}

/** The status of a run among the existing pull requests. */
export type PullStatus =
  | { kind: "none" }
  | { kind: "open"; pull: Pull }
  | { kind: "foreign"; pull: Pull }
  | { kind: "merged" | "rejected"; pull: Pull }
  | { kind: "full"; others: readonly Pull[] };

export interface PullQuery {
  viewer: Viewer;
  branch: string;
  marker: PullMarker;
  maxOpen: number;
  /** A person commanded the work since: an earlier rejection of the item does not count. */
  overridesRejection?: boolean | undefined;
}

/**
 * The status of a branch, given every relevant pull request. Only marked ones that this account opened from the repository
 * itself count as ralph's; one that a person closed stays closed (design 6).
 */
export function pullStatusOf(pulls: readonly Pull[], query: PullQuery): PullStatus {
  const { viewer, branch, marker, maxOpen, overridesRejection } = query;
  const inside = pulls.filter(isInside);
  const onBranch = inside.find(({ state, head }) => state === "open" && head.ref === branch);
  if (onBranch) {
    return { kind: markerOf(onBranch, viewer) ? "open" : "foreign", pull: onBranch };
  }
  const ours = inside.flatMap((pull) => {
    const own = markerOf(pull, viewer);
    return own ? [{ pull, own }] : [];
  });
  const closed = ours.filter(({ pull }) => pull.state === "closed");
  const merged = closed.find(({ pull, own }) => pull.merged_at && own.run === marker.run);
  if (merged) return { kind: "merged", pull: merged.pull };
  const decided = overridesRejection ? { run: marker.run } : marker;
  const rejected = closed.find(({ pull, own }) => !pull.merged_at && isSame(own, decided));
  if (rejected) return { kind: "rejected", pull: rejected.pull };
  const others = ours.flatMap(({ pull }) => (pull.state === "open" ? [pull] : []));
  return others.length >= maxOpen ? { kind: "full", others } : { kind: "none" };
}

const isSame = (own: PullMarker, { run, item }: PullMarker) =>
  own.run === run || (item !== undefined && own.item === item);

/** Anyone can open one from a fork, with any text. */
export const isInside = ({ head, base }: Pull) =>
  head.repo?.full_name !== undefined && head.repo.full_name === base.repo?.full_name;

/** The marker of a pull request by ralph; undefined for any other. */
export function markerOf({ user, body }: Pull, viewer: Viewer): PullMarker | undefined {
  return isBy(viewer, user) ? parsePullMarker(body ?? "") : undefined;
}

type Listing = { state: "open" | "closed" | "all"; head?: string; since?: number };

/** Newest first; `since`: stops at the page with an older one. */
function listPulls(github: GitHub, { since = 0, ...filter }: Listing): Promise<Pull[]> {
  const wanted = { ...github.repo, ...filter, sort: "created", direction: "desc" } as const;
  return github.ask(
    { act: "list the pull requests", permission: "pull-requests: read", reason: "pr" },
    ({ paginate, rest }) =>
      paginate(rest.pulls.list, { ...wanted, per_page: 100 }, ({ data }, done) => {
        if (Date.parse(data.at(-1)?.created_at ?? "") < since) done();
        return data;
      }),
  );
}

/** The status of a run, by its branch, all open pull requests, and those closed since it began. */
export async function findPullStatus(github: GitHub, query: PullQuery): Promise<PullStatus> {
  const onBranch = await listBranchPulls(github, query.branch);
  const first = onlyOnBranch(onBranch, query);
  if (first.kind !== "none") return first;
  const open = await listPulls(github, { state: "open" });
  const closed = await listPulls(github, { state: "closed", since: beginOf(query.marker) });
  return pullStatusOf([...onBranch, ...open, ...closed], query);
}

/** The status by the run's branch alone: one request. */
export async function findOnBranch(github: GitHub, query: PullQuery): Promise<PullStatus> {
  return onlyOnBranch(await listBranchPulls(github, query.branch), query);
}

const onlyOnBranch = (pulls: readonly Pull[], query: PullQuery) =>
  pullStatusOf(pulls, { ...query, maxOpen: Number.POSITIVE_INFINITY });

/** Every pull request that was ever opened from a branch, newest first. */
export function listBranchPulls(github: GitHub, branch: string): Promise<Pull[]> {
  return listPulls(github, { state: "all", head: `${github.repo.owner}:${branch}` });
}

const dayMs = 24 * 60 * 60 * 1000;

/** A day before the time in a run's id, because clocks differ. */
function beginOf({ run }: PullMarker): number {
  const [, date = "", time = ""] = /^(\d{8})-(\d{6})/.exec(run) ?? [];
  const day = date.replace(/(....)(..)(..)/, "$1-$2-$3");
  const clock = time.replace(/(..)(..)(..)/, "$1:$2:$3");
  return Date.parse(`${day}T${clock}Z`) - dayMs || 0;
}

/** A pull request by ralph. These are the source of truth for processed reports and rejected items (design 6). */
export interface OwnPull extends PullMarker {
  number: number;
  url: string;
  title: string;
  state: "open" | "merged" | "rejected";
  mergedAt: string | null;
}

/** All pull requests by ralph, newest first. Reads every pull request of the repository. */
export async function listOwnPulls(github: GitHub, viewer: Viewer): Promise<OwnPull[]> {
  return ownOf(await listPulls(github, { state: "all" }), viewer);
}

/** The number of open pull requests by ralph. Reads only open ones. */
export async function countOpenPulls(github: GitHub, viewer: Viewer): Promise<number> {
  return ownOf(await listPulls(github, { state: "open" }), viewer).length;
}

function ownOf(pulls: readonly Pull[], viewer: Viewer): OwnPull[] {
  return pulls.flatMap((pull) => {
    const marker = markerOf(pull, viewer);
    if (!marker) return [];
    const { number, html_url: url, title, merged_at: mergedAt } = pull;
    const closed = mergedAt === null ? "rejected" : "merged";
    const state = pull.state === "open" ? "open" : closed;
    return [{ ...marker, number, url, title, state, mergedAt }];
  });
}
