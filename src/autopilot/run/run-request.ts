import type { ListRequest } from "../../core/state/event.ts";
import type { SessionState } from "../../core/state/session-state.ts";
import type { StopReason } from "../../error.ts";
import type { SessionStore } from "../../journal/session-store.ts";
import type { System } from "../../platform/system.ts";
import type { Analysis } from "../../schema/autopilot/analysis.ts";
import type { RunOptions } from "../../schema/config/run-options.ts";
import type { WorkRequest } from "../../schema/work-request.ts";
import type { GitHubReader } from "../reports/github-reader.ts";
import type { SkippedReport } from "../reports/report.ts";
import type { AutopilotRun } from "./autopilot-run.ts";

/** The options of `ralph autopilot`. */
export interface AutopilotRequest {
  config: string | undefined;
  /** Options that override the configuration: a budget, the sandbox, models. */
  flags: RunOptions;
  reports: string | undefined;
  report: string | undefined;
  /** Which issue to work on, or to offer beside the reports; a resumed run keeps its own request. */
  work: WorkRequest;
  branch: string | undefined;
  document: "with" | "without";
  mode: "autonomous" | "interactive" | undefined;
  range: { min: number; max: number } | undefined;
  model: string | undefined;
  recentDays: number | undefined;
  pull: boolean;
  act: "start" | "resume" | "analyze";
  /** With `resume`: the folder of a bundle from another machine, absolute or below the project root. */
  resume?: string | undefined;
}

/** Starts a session over a task list on the checked-out branch, or resumes its session. */
export type RunSession = (request: ListRequest) => Promise<SessionState>;

/** A run whose session has ended. */
export interface Publishable {
  run: AutopilotRun;
  state: SessionState;
}
/** `left`: the run does not publish; `next` says what to do instead. */
export type PublishOutcome = { kind: "published"; url: string } | { kind: "left"; next: string };
export type PublishRun = (publishable: Publishable) => Promise<PublishOutcome>;

/** The parts that the entry point of a run provides. */
export interface AutopilotDeps {
  system: System;
  place: { root: string; store: SessionStore };
  /** The folder the session's files are shown in, absolute. */
  sessionDir: string;
  log: (line: string) => void;
  /** Shows the document and asks whether to continue; undefined without a terminal. */
  approve: ((document: { path: string; text: string }) => Promise<boolean>) | undefined;
  /** The project's lock; a session takes it itself. */
  lock: (runId: string) => Promise<AsyncDisposable>;
  /** Opens the GitHub repository of a remote; the configuration of the base commit names the remote. */
  openGitHub: (remote: string) => GitHubReader;
  runSession: RunSession;
  publish: PublishRun;
  cancel: AbortSignal;
}

/** The result of a run that ended without an error. */
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
