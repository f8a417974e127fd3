import type { FactOf, RunEvent } from "../../core/state/event.ts";
import type { EvidenceRef, PictureRef } from "../../core/state/measurement.ts";
import { isVerifyFact, type VerifyFact } from "../../core/state/verify-event.ts";
import { numberedName, picturePath, resultPath } from "../summary/summary-verification.ts";

/** A file below the session directory: evidence as it is, a text, or `undefined` for one that is removed. */
export type SessionArtifactFile = { path: string; content: EvidenceRef | string | undefined };

type Shown = VerifyFact | FactOf<"criteria_end">;

export const isShown = (event: RunEvent): event is Extract<RunEvent, { type: Shown["type"] }> =>
  event.type === "criteria_end" || isVerifyFact(event);

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
      const { test, picture, snapshot } = event;
      return picture ? pictured([test, pictures], picture, snapshot) : [];
    }
    case "page_seen": {
      const { task, when, page, picture } = event;
      return picture ? pictured([`${task} ${when} ${page}`, pictures], picture) : [];
    }
    case "criteria_end":
      return criteriaArtifacts(event, pictures);
    case "verify_phase_end":
      return [
        ...Object.entries(event.files ?? {}).map(([name, content]) => ({
          path: resultPath(event.phase, name),
          content,
        })),
        ...(event.output ? [{ path: `logs/${event.phase}.log`, content: event.output }] : []),
      ];
    default:
      return [];
  }
}

const pidPath = (service: string) => `pids/${service}.pid`;

/** A picture, and the page as text if that is known. */
function pictured(
  [name, number]: readonly [name: string, number: number],
  picture: PictureRef,
  snapshot?: EvidenceRef,
): SessionArtifactFile[] {
  const path = `artifacts/snapshots/${numberedName(name, number)}.txt`;
  return [
    { path: picturePath(name, number, picture), content: picture },
    ...(snapshot ? [{ path, content: snapshot }] : []),
  ];
}

function criteriaArtifacts({ task, results }: FactOf<"criteria_end">, pictures: number) {
  const seen = results.filter(({ picture }) => picture !== undefined);
  return seen.flatMap(({ number, picture, evidence }, index) => {
    const at = pictures - seen.length + index + 1;
    return picture ? pictured([`${task} criterion ${number}`, at], picture, evidence) : [];
  });
}
