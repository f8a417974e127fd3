import type { ProofCheck } from "../state/proof-event.ts";

/** The consequence of a bad verdict of a check. */
export const proofLevels = ["require", "ask", "report", "off"] as const;
export type ProofLevel = (typeof proofLevels)[number];

/** `proof.*` of the start commit. */
export interface ProofSettings {
  levels: Readonly<Record<ProofCheck, ProofLevel>>;
  /** Most changes that are taken back in place. */
  witnessHunks: number;
  /** Most time for changes that are taken back or made wrong, milliseconds. Default: three runs of the gates, at least two minutes. */
  witnessMs?: number | undefined;
}

/** Whether a task's work has to pass checks besides its gates. */
export const isProofOn = ({ levels }: ProofSettings): boolean =>
  Object.values(levels).some((level) => level !== "off");

/** Where no tree can be laid out beside the work tree, only numbers of tests are compared. */
export const countsOnly = (settings: ProofSettings): ProofSettings => ({
  ...settings,
  levels: {
    originals: "off",
    controls: "off",
    red_first: "off",
    witness: "off",
    census: settings.levels.census,
  },
});

/** Whether one of these checks wants its trees to run. */
export const isAsked = ({ levels }: ProofSettings, checks: readonly ProofCheck[]): boolean =>
  checks.some((check) => levels[check] !== "off");
