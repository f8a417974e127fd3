import * as z from "zod";
import { type PullMarker, parsePullMarker } from "../../views/pull-request/pull-marker.ts";
import { Account, isBy, type Viewer } from "../api/viewer.ts";

const Side = z.object({
  ref: z.string(),
  sha: z.string().optional(),
  /** Null: its fork was deleted. */
  repo: z.object({ full_name: z.string() }).nullish(),
});

/** A pull request in the form of the API. */
export const Pull = z.object({
  number: z.int(),
  node_id: z.string(),
  html_url: z.string(),
  state: z.enum(["open", "closed"]),
  draft: z.boolean().default(false),
  title: z.string(),
  body: z.string().nullish(),
  user: Account,
  head: Side,
  base: Side,
  created_at: z.string(),
  merged_at: z.string().nullish(),
});
export type Pull = z.infer<typeof Pull>;
export const Pulls = z.array(Pull);

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
const isInside = ({ head, base }: Pull) =>
  head.repo?.full_name !== undefined && head.repo.full_name === base.repo?.full_name;

/** The marker of a pull request by ralph; undefined for any other. */
export function markerOf({ user, body }: Pull, viewer: Viewer): PullMarker | undefined {
  return isBy(viewer, user) ? parsePullMarker(body ?? "") : undefined;
}
