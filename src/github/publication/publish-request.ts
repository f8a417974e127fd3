import { RalphError } from "../../error.ts";
import type { Clock } from "../../platform/system.ts";
import type { RunRecordFile } from "../../schema/session-files/run-record.ts";
import type { PullBody } from "../../views/pull-request/pull-body.ts";
import type { PullMarker } from "../../views/pull-request/pull-marker.ts";
import type { GitHub } from "../api/create-github.ts";
import type { RemoteAddress } from "../api/remote-url.ts";
import type { Viewer } from "../api/viewer.ts";
import type { HandedProof } from "../artifacts/handed-proof.ts";
import type { FindSecrets } from "../verify/find-secrets.ts";
import type { Trust } from "../verify/trusted-start.ts";

/** The part of a request that sessions and plans share. */
export interface Publication {
  /** Folder of the bundle, absolute. */
  bundle: string;
  /** A checkout no agent has worked in, absolute. */
  checkout: string;
  remote: RemoteAddress;
  trust: Trust;
  /** Opens the pull request; absent: only the branch is pushed. */
  github?: GitHub | undefined;
  /** The publisher's own secrets beside those of the environment, such as its token. */
  secrets?: readonly string[];
  log: (line: string) => void;
}

/** A session to publish. */
export interface PublishRequest extends Publication {
  staysDraft: boolean;
  comments: boolean;
  /** Where the head was proved; the caller decides this, never the bundle. */
  proof: NonNullable<RunRecordFile["proof"]>;
  /** The result of a check without agents: in the clean room, or in a fresh clone on this machine. */
  proved?: HandedProof | undefined;
  /** Whether a proof in place suffices for "ready for review" (design 5). */
  acceptsInPlace: boolean;
  origin?: RunOrigin | undefined;
  addressees?: Addressees | undefined;
  job?: PublishingJob | undefined;
}

/** The document of an autopilot run that has no session yet; `bundle` is the run's folder. */
export interface PlanPublishRequest extends Publication {
  origin: Pick<RunOrigin, "requested" | "marker" | "issue" | "trace" | "overridesRejection">;
}

/** Facts about a session that only its autopilot run knows. */
export type RunOrigin = Pick<PullBody, "requested" | "issue" | "trace"> & {
  marker: PullMarker;
  /** A person commanded the work: an earlier rejection of its item does not count. */
  overridesRejection?: boolean | undefined;
  /** The run's record, before the pull request is known. */
  record: RunRecordFile;
  /** The run's archived files beside its record, given the record's text. */
  archive: (record: string) => readonly { path: string; content: string | Buffer }[];
};

/** Whom a new pull request is for. A reviewer such as `org/team` is a team. */
export interface Addressees {
  labels: readonly string[];
  reviewers: readonly string[];
  assignees: readonly string[];
}

/** The job that publishes. */
export interface PublishingJob {
  runId: string;
  url: string;
  /** File of its workflow, such as `ralph.yml`. */
  workflow?: string | undefined;
}

/** Dependencies of everything that writes to GitHub. */
export interface PublishDeps {
  github: GitHub;
  clock: Pick<Clock, "sleep">;
  /** The account behind the token; only its own comments and pull requests are changed. */
  viewer: Viewer;
  /** Checks every text before it is sent (T19). */
  findSecrets: FindSecrets;
}

/** Refuses a text that holds a secret, instead of publishing it with the secret removed (T19). */
export function requireNoSecret(
  { findSecrets }: Pick<PublishDeps, "findSecrets">,
  where: string,
  text: string,
): void {
  const [found] = findSecrets(text);
  if (found === undefined) return;
  throw new RalphError("firewall", {
    message: `The text of the ${where} holds ${found}, so it was not published.`,
    remedy:
      "Replace the secret, find out how it got into the task list or an agent's text, then run again.",
  });
}
