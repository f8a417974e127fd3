import type { RunRecordFile } from "../../schema/session-files/run-record.ts";
import type { PullBody } from "../../views/pull-request/pull-body.ts";
import type { PullMarker } from "../../views/pull-request/pull-marker.ts";
import type { GitHub } from "../api/create-github.ts";
import type { RemoteAddress } from "../api/remote.ts";
import type { HandedProof } from "../artifacts/handed-proof.ts";
import type { Trust } from "../verify/trusted-start.ts";

/** What is published, from where, and what is believed. */
export interface Publication {
  /** Folder of the bundle, absolute. */
  bundle: string;
  /** A checkout no agent has worked in, absolute. */
  checkout: string;
  remote: RemoteAddress;
  trust: Trust;
  /** The publisher's own secrets beside those of the environment, such as its token. */
  secrets?: readonly string[];
}

/** What a door wants published, and how far. */
export interface PublishRequest extends Publication {
  /** Where the pull request is opened; absent: only the branch is pushed. */
  github?: GitHub | undefined;
  /** The pull request stays a draft whatever the session came to. */
  staysDraft: boolean;
  /** Whether the figures are kept up to date in a comment. */
  comments: boolean;
  /** Where the head was proved; who says so is the door, never the bundle. */
  proof: NonNullable<RunRecordFile["proof"]>;
  /** What was found where no agent has worked: in the clean room, or in a fresh clone on this machine. */
  proved?: HandedProof | undefined;
  /** Whether a proof in place is enough to be ready for review (design 5). */
  acceptsInPlace: boolean;
  /** The autopilot run behind the session. */
  origin?: RunOrigin | undefined;
  job?: PublishingJob | undefined;
  /** Hears every step as it is done. */
  log: (line: string) => void;
}

/** What only an autopilot knows about a session. */
export type RunOrigin = Pick<PullBody, "requested" | "issue" | "trace"> & {
  marker: PullMarker;
  /** A person has commanded it: that its item was rejected before does not count. */
  again?: boolean | undefined;
  /** As it is before the pull request is known. */
  record: RunRecordFile;
  /** What is kept of the run beside its record, given the record's text. */
  archive: (record: string) => readonly { path: string; content: string | Buffer }[];
};

/** The job that publishes. */
export interface PublishingJob {
  runId: string;
  /** Page of the workflow run. */
  url: string;
  /** File of its workflow, such as `ralph.yml`. */
  workflow?: string | undefined;
}
