import { type PullMarker, parsePullMarker } from "../../views/pull-request/pull-marker.ts";
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
  /** `open` or `closed`. */
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
  /** `limits.open_prs`. */
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
