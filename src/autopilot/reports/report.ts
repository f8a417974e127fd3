/** What an autopilot run starts from: a file of the repository, or an issue. */
export interface Report {
  /** Relative to the project root; for an issue, to the session directory. */
  path: string;
  text: string;
  /** Digest of the bytes: how a report is known again, whatever it is called (design 6). */
  sha256: string;
  kind: "file" | "issue";
}

/** A file that is no report, and why; one line each for whoever asks. */
export type SkippedReport = { path: string; reason: string };

export const minReportCharacters = 50;
export const maxReportBytes = 1_000_000;
