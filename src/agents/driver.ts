import type { AgentOutcome, Role, Usage } from "../run/event.ts";
import type { Environment, SupervisedResult } from "../system/system.ts";

/**
 * A driver knows one agent program: how to call it and how to read its answer. It is a pure value in one
 * file; starting, limiting and ending the process is `run-agent.ts`. Add a driver here and to `drivers.ts`,
 * then run its test file, which is one call to `testDriver`.
 */
export interface Driver {
  name: string;
  /** The program and its arguments. Prompts outgrow the argument limit, so they always travel on stdin. */
  command: (call: AgentCall) => { file: string; args: string[] };
  /** Variables of ours the program needs in its allow-list environment, and their values. */
  env?: (call: AgentCall) => Environment;
  /** Watches the stream while the program runs; one reader per call. */
  createReader: () => AnswerReader;
}

export interface AgentCall {
  role: Role;
  /** From `agents.<role>.{command,args}`; the program to start instead of the driver's own. */
  program: readonly string[];
  model: string | undefined;
  allowedTools: readonly string[];
  readOnly: boolean;
  timeoutMs: number;
}

export interface AnswerReader {
  /** Each piece of stdout. Memory must stay bounded whatever arrives (F28). */
  push: (chunk: Buffer) => void;
  /** Called once, after the end of the process. */
  finish: (result: SupervisedResult) => Answer;
}

/** What the program said, whatever its dialect. Signals are read from `finalMessage` only (T48). */
export interface Answer {
  outcome: AgentOutcome;
  finalMessage: string;
  usage: Usage;
}
