import type { AgentOutcome, FactOf, Role, Usage } from "../../core/state/event.ts";
import type { Environment, SupervisedResult } from "../../platform/system.ts";

/**
 * Everything ralph knows about one agent program: how to call it, how to read its answer, which files steer it, how
 * it is installed and logged in. A driver is a pure value in one file; `run-agent.ts` starts, limits and ends the
 * process. `README.md` beside this folder shows how to add one.
 */
export interface Driver {
  name: string;
  /** Started when the configuration names no program; a driver without one needs `agents.<role>.command`. */
  program?: string;
  /** A variable whose shell-split value replaces the program, such as RALPH_CLAUDE_CMD (specs 004 appendix A). */
  programVariable?: string;
  /** Arguments that make the program print its version and end. */
  version?: readonly string[];
  /** It prints while it works, so a long silence means that it hangs (F27). */
  streams?: true;
  /** Its own folder below the home folder: writable in the sandbox, and protected in every project. */
  home?: string;
  /** Names of the other files and folders the program reads in a project: no task may change them (T07, T08, T43). */
  projectFiles: readonly string[];
  /** Where the program's own login is kept: a file below `home`, or below the folder that `variable` names. */
  login?: { file: string; variable?: string };
  /** The npm package the program comes in, with the one install script it needs (T58, T59). */
  npm?: { name: string; script?: string };
  /** Its answers tell what they cost; with any other, a budget needs `pricing`. */
  reportsCost?: true;
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
  program: CommandLine;
  model: string | undefined;
  allowedTools: readonly string[];
  readOnly: boolean;
  /** The sandbox is around it, and for a reader the work tree is read-only in it. */
  isSandboxed?: boolean;
  timeoutMs: number;
  /** The program's environment, once it is known: to point at a variable or to choose by one. */
  env?: Environment;
}

export type CommandLine = readonly [file: string, ...args: string[]];

export interface AnswerReader {
  /** Each piece of stdout. Memory must stay bounded whatever arrives (F28). */
  push: (chunk: Buffer) => void;
  /** True once nothing can come of the call, whatever the program goes on trying: it is ended, and the answer says why. */
  isHopeless?: () => boolean;
  /** Called once, after the end of the process. Never throws, whatever was printed. */
  finish: (result: SupervisedResult) => Answer;
}

/** What the program said, whatever its dialect. Signals are read from `finalMessage` only (T48). */
export interface Answer {
  outcome: AgentOutcome;
  finalMessage: string;
  usage: Usage;
  /** What to do about the outcome, where the driver's own remedy is not it. */
  remedy?: string;
  details?: CallDetails;
}

/** What else a program says about its call. */
export type CallDetails = Pick<FactOf<"agent_end">, "session_id" | "denied">;
