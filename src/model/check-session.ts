import { canonicalChecksum, sha256 } from "./checksum.ts";
import type { Finding } from "./finding.ts";
import type { TaskStatus } from "./task-status.ts";
import type { TimelineEvent } from "./timeline-event.ts";

/** task-status.json as it lies on disk, and the text of task-status.sha256 if there is one. */
export type SealedStatus = {
  bytes: Uint8Array;
  status: TaskStatus;
  external: string | undefined;
};

/**
 * Whether both checksums belong to this file (specs 004 8.3). The external one may be bare hex or a line of
 * `sha256sum`, both over the bytes, or `sha256:` and hex, over the canonical form (compatibility 1.3).
 */
export function checkSeals({ bytes, status, external }: SealedStatus): Finding[] {
  const canonical = canonicalChecksum(status);
  const embedded = status.checksum === canonical ? [] : ["is not the checksum of this file"];
  const seal = external === undefined ? [] : checkExternal(external, { bytes, canonical });
  return [
    ...embedded.map((message): Finding => ({ severity: "error", path: ["checksum"], message })),
    ...seal.map((message): Finding => ({ severity: "error", path: [], message })),
  ];
}

function checkExternal(
  external: string,
  { bytes, canonical }: { bytes: Uint8Array; canonical: string },
): string[] {
  const [, form, digest] =
    /^(sha256:)?([0-9a-f]{64})(?: [ *][^\r\n]+)?\r?\n?$/.exec(external) ?? [];
  if (digest === undefined) return ["has a task-status.sha256 that holds no checksum"];
  const isSame = form ? canonical === `${form}${digest}` : sha256(bytes) === digest;
  return isSame ? [] : ["was changed after task-status.sha256 was written"];
}

/** Findings about lines that are earlier than the one before; equal times are fine. Paths hold the index. */
export function checkTimeOrder(events: readonly Pick<TimelineEvent, "ts">[]): Finding[] {
  return events.flatMap(({ ts }, index): Finding[] => {
    const before = events[index - 1];
    if (!before || Date.parse(ts) >= Date.parse(before.ts)) return [];
    return [
      {
        severity: "error",
        path: [index, "ts"],
        message: `is earlier than ${before.ts} of the line before`,
      },
    ];
  });
}
