import type { Planning } from "../../core/state/event.ts";
import type { SessionState } from "../../core/state/session-state.ts";
import type { StopReason } from "../../error.ts";
import type { SessionStore } from "../../journal/session-store.ts";
import type { System } from "../../platform/system.ts";
import type { Analysis } from "../../schema/autopilot/analysis.ts";
import type { Flags } from "../../sources/config-overrides.ts";
import type { GitHubReader } from "../reports/github-reader.ts";
import type { SkippedReport } from "../reports/report.ts";
import type { AutopilotRun } from "./autopilot-run.ts";

/** What a door asks for: options of `ralph autopilot`. */
export interface AutopilotRequest {
  /** `--config`. */
  config: string | undefined;
  /** What stands above the configuration: a budget, the sandbox, models. */
  flags: Flags;
  reports: string | undefined;
  report: string | undefined;
  issue: number | undefined;
  /** The issue is one of those to choose from, beside the reports nobody has worked on. */
  among: boolean;
  /** The issue counts even if it was worked on, or rejected, before. */
  again: boolean;
  branch: string | undefined;
  document: "with" | "without";
  mode: "autonomous" | "interactive" | undefined;
  range: { min: number; max: number } | undefined;
  model: string | undefined;
  recentDays: number | undefined;
  pull: boolean;
  act: "start" | "resume" | "analyze";
  /** With `resume`: the folder of a bundle from elsewhere, below the project root or absolute. */
  resume?: string | undefined;
}

/** Starts the loop over a task list on the branch that is checked out, or goes on with its session. */
export type RunSession = (request: SessionRequest) => Promise<SessionState>;
export interface SessionRequest {
  act: "start" | "resume";
  taskPath: string;
  /** Whatever the configuration says. */
  sandbox: "required" | undefined;
  /** What a new session begins with as spent. */
  planning: Planning | undefined;
}

/** A run whose session is over. */
export interface Publishable {
  run: AutopilotRun;
  state: SessionState;
}
/** `left`: somebody else does it; `next` says who and how. */
export type PublishOutcome = { kind: "published"; url: string } | { kind: "left"; next: string };
export type PublishRun = (publishable: Publishable) => Promise<PublishOutcome>;

/** What the door that starts a run brings. */
export interface AutopilotDeps {
  system: System;
  place: { root: string; store: SessionStore };
  /** Where the session's files are shown, absolute. */
  sessionDir: string;
  /** One line for whoever watches. */
  log: (line: string) => void;
  /** Shows the document and asks whether to go on; undefined where nobody can be asked. */
  approve: ((document: { path: string; text: string }) => Promise<boolean>) | undefined;
  /** The project's lock; a session takes it itself. */
  lock: (runId: string) => Promise<AsyncDisposable>;
  /** What the repository of a remote says; the remote's name is that of the configuration on the base branch. */
  openGitHub: (remote: string) => GitHubReader;
  runSession: RunSession;
  publish: PublishRun;
  cancel: AbortSignal;
}

/** How a run ended without an error. */
export type AutopilotOutcome =
  | { kind: "analyzed"; analysis: Analysis; skipped: readonly SkippedReport[] }
  | { kind: "stopped"; run: AutopilotRun; why: string; next: string }
  | {
      kind: "ended";
      run: AutopilotRun;
      state: SessionState;
      reason: StopReason;
      published: PublishOutcome;
    };
