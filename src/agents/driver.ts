import type { AgentOutcome, Role, Usage } from "../run/event.ts";
import type { Environment, SupervisedResult } from "../system/system.ts";

/**
 * A driver knows one agent program: how to call it and how to read its answer. It is a pure value in one
 * file; starting, limiting and ending the process is `run-agent.ts`. Add a driver here and to `drivers.ts`,
 * then run its test file, which is one call to `testDriver`.
 */
export interface Driver {
  name: string;
  /** Started when the configuration names no program; a driver without one needs `agents.<role>.command`. */
  program?: string;
  /** A variable whose shell-split value replaces the program, such as RALPH_CLAUDE_CMD (specs 004 appendix A). */
  programVariable?: string;
  /** It prints while it works, so a long silence means that it hangs (F27). */
  streams?: true;
  /** One sentence that says what to do when the program cannot be started. */
  remedy: string;
  /** Variables that carry the model credential: the only secrets an agent is given (T15, design 5). */
  credentials: readonly Credential[];
  /** The program and its arguments. Prompts outgrow the argument limit, so they always travel on stdin. */
  command: (call: AgentCall) => { file: string; args: string[] };
  /** Variables of ours the program needs in its allow-list environment, and their values. */
  env?: (call: AgentCall) => Environment;
  /** Watches the stream while the program runs; one reader per call. */
  createReader: () => AnswerReader;
}

/** Names that are passed when they are set; with `when`, only while that variable is set too. */
export interface Credential {
  when?: string;
  names: readonly string[];
}

export interface AgentCall {
  role: Role;
  /** What to start, with its first arguments: `programOf` of configuration and environment. */
  program: Program;
  model: string | undefined;
  allowedTools: readonly string[];
  readOnly: boolean;
  timeoutMs: number;
}

export type Program = readonly [file: string, ...args: string[]];

export interface AnswerReader {
  /** Each piece of stdout. Memory must stay bounded whatever arrives (F28). */
  push: (chunk: Buffer) => void;
  /** Called once, after the end of the process. Never throws, whatever was printed. */
  finish: (result: SupervisedResult) => Answer;
}

/** What the program said, whatever its dialect. Signals are read from `finalMessage` only (T48). */
export interface Answer {
  outcome: AgentOutcome;
  finalMessage: string;
  usage: Usage;
}
