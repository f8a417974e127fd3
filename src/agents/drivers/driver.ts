import type { FactOf } from "../../core/state/event.ts";
import type { Usage } from "../../core/state/measurement.ts";
import type { AgentOutcome, Role } from "../../core/state/roles.ts";
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
  /** Its own folder below the home folder: private to each call, and protected in every project. */
  home?: string;
  /** Names of the other files and folders the program reads in a project: no task may change them (T07, T08, T43). */
  projectFiles: readonly string[];
  /**
   * Where the program's own login is kept: a file below `home`, or below the folder that `variable` names. Each call gets
   * a copy, with the variables in `env`.
   */
  login?: { file: string; variable?: string; env?: Environment };
  /** Settings of each call's home: a file below `home`, and its text by the environment. */
  settings?: { file: string; text: (env: Environment) => string };
  /** The npm package the program comes in, with the one install script it needs (T58, T59). */
  npm?: { name: string; script?: string };
  /** Its answers report their cost; without this, a budget needs `pricing`. */
  reportsCost?: true;
  /** One sentence: what to do when the program cannot be started. */
  remedy: string;
  /** Variables that hold the model credential: the only secrets an agent gets (T15, design 5). */
  credentials: readonly Credential[];
  /** Where its model is: for the network cage, and for keys that stay outside of it. */
  provider?: ModelProvider;
  /** The program and its arguments. Prompts outgrow the argument limit, so they always travel on stdin. */
  command: (call: AgentCall) => { file: string; args: string[] };
  /** Further variables the program needs, with their values. */
  env?: (call: AgentCall) => Environment;
  /** Watches the stream while the program runs; one reader per call. */
  createReader: () => AnswerReader;
}

/** Names that are passed when they are set; with `when`, only while that variable is set too. */
export interface Credential {
  when?: string;
  names: readonly string[];
}

/** The address a program reaches its model at, and what else it needs of the network (T20). */
export interface ModelProvider {
  url: string;
  /** The variable that names another address. */
  addressVariable: string;
  /** Variables with a key that a proxy can put in, because the program sends it as it is. */
  keys: readonly string[];
  /** Further hosts of its login or its cloud. */
  hosts: (env: Environment) => readonly string[];
}

export interface AgentCall {
  role: Role;
  /** The program to start, with its first arguments, as answered by `programOf`. */
  program: CommandLine;
  model: string | undefined;
  allowedTools: readonly string[];
  readOnly: boolean;
  /** The program runs in the sandbox, where a read-only role cannot write the work tree. */
  isSandboxed?: boolean;
  timeoutMs: number;
  /** The program's environment, for options that depend on a variable. */
  env?: Environment;
}

export type CommandLine = readonly [file: string, ...args: string[]];

export interface AnswerReader {
  /** Receives each piece of stdout. Memory must stay bounded for any input (F28). */
  push: (chunk: Buffer) => void;
  /** True once nothing can come of the call, whatever the program goes on trying: it is ended, and the answer says why. */
  isStuck?: () => boolean;
  /** Called once, after the process has ended. Never throws, whatever the program printed. */
  finish: (result: SupervisedResult) => Answer;
}

/** A program's answer in one form for all drivers. Signals are read from `finalMessage` only (T48). */
export interface Answer {
  outcome: AgentOutcome;
  finalMessage: string;
  usage: Usage;
  /** A remedy for this outcome that replaces the driver's own. */
  remedy?: string;
  details?: CallDetails;
}

/** Further facts a program reports about its call. */
export type CallDetails = Pick<FactOf<"agent_end">, "session_id" | "denied">;
