import type { PictureRef } from "../../core/state/measurement.ts";
import type { VerifyPhase } from "../../core/state/verify-event.ts";

/** `artifacts/screenshots/002-dashboard.png`: names of tests are the project's, so only their letters are used. */
export function picturePath(name: string, number: number, { kind = "png" }: NamedPicture): string {
  return `artifacts/screenshots/${numberedName(name, number)}.${kind}`;
}
type NamedPicture = { kind?: PictureRef["kind"] | "png" };

/** `artifacts/robot/log.html`: a file that a phase's own program wrote. */
export const resultPath = (phase: VerifyPhase, name: string): string =>
  `artifacts/${phase === "robot" ? "robot" : "screenshots"}/${name}`;

/** `002-dashboard`. */
export function numberedName(name: string, number: number): string {
  const words = name.toLowerCase().match(/[a-z0-9]+/g) ?? [];
  return `${String(number).padStart(3, "0")}-${words.join("-").slice(0, 40) || "page"}`;
}
