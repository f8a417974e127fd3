import type { FactOf, RunEvent } from "../../core/state/event.ts";
import type { EvidenceRef } from "../../core/state/measurement.ts";
import type { VerifyFact } from "../../core/state/verification.ts";

/** A file below the session directory: evidence as it is, a text, or `undefined` for one that is removed. */
export type SessionArtifactFile = { path: string; content: EvidenceRef | string | undefined };

type Shown = VerifyFact | FactOf<"criteria_end">;

export const isShown = (event: RunEvent): event is Extract<RunEvent, { type: Shown["type"] }> =>
  shownTypes.has(event.type);

const shownTypes = new Set<RunEvent["type"]>([
  "criteria_end",
  "service_start",
  "service_stop",
  "ui_test_end",
  "verify_phase_end",
]);

/**
 * Screenshots, snapshots, process ids and what Robot Framework wrote (specs 004 4.3). `pictures`: how many the session has
 * after the event; they number the files. Pure.
 */
export function artifactsOf(event: Shown, pictures: number): SessionArtifactFile[] {
  switch (event.type) {
    case "service_start":
      return [{ path: pidPath(event.service), content: `${event.pid}\n` }];
    case "service_stop":
      return [
        { path: pidPath(event.service), content: undefined },
        { path: `logs/service-${event.service}.log`, content: event.output },
      ];
    case "ui_test_end": {
      const { picture, snapshot } = event;
      return picture ? pictured({ name: event.test, number: pictures, picture, snapshot }) : [];
    }
    case "criteria_end":
      return criteriaArtifacts(event, pictures);
    case "verify_phase_end":
      return [
        ...Object.entries(event.files ?? {}).map(([name, content]) => ({
          path: `artifacts/robot/${name}`,
          content,
        })),
        ...(event.output ? [{ path: `logs/${event.phase}.log`, content: event.output }] : []),
      ];
    default:
      return [];
  }
}

const pidPath = (service: string) => `pids/${service}.pid`;

/** `artifacts/screenshots/002-dashboard.png`: names of tests are the project's, so only their letters are used. */
export function picturePath(name: string, number: number): string {
  return `artifacts/screenshots/${baseName(name, number)}.png`;
}

function baseName(name: string, number: number): string {
  const words = name.toLowerCase().match(/[a-z0-9]+/g) ?? [];
  return `${String(number).padStart(3, "0")}-${words.join("-").slice(0, 40) || "page"}`;
}

type Pictured = {
  name: string;
  number: number;
  picture: EvidenceRef;
  snapshot: EvidenceRef | undefined;
};

function pictured({ name, number, picture, snapshot }: Pictured): SessionArtifactFile[] {
  const path = `artifacts/snapshots/${baseName(name, number)}.txt`;
  return [
    { path: picturePath(name, number), content: picture },
    ...(snapshot ? [{ path, content: snapshot }] : []),
  ];
}

function criteriaArtifacts(
  { task, results }: FactOf<"criteria_end">,
  pictures: number,
): SessionArtifactFile[] {
  const seen = results.filter(({ picture }) => picture !== undefined);
  return seen.flatMap(({ number, picture, evidence }, index) => {
    const name = `${task} criterion ${number}`;
    const at = pictures - seen.length + index + 1;
    return picture ? pictured({ name, number: at, picture, snapshot: evidence }) : [];
  });
}
