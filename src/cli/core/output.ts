import type { Environment } from "../../platform/system.ts";

/** Where a command's words go. Programs get `--json` on stdout and nothing else; people get the rest. */
export interface Output {
  readonly level: "quiet" | "normal" | "verbose" | "debug";
  readonly hasColour: boolean;
  readonly isTerminal: boolean;
  readonly wantsJson: boolean;
  /** The answer of the command. */
  result: (text: string) => void;
  /** Progress and remarks: stdout for people, stderr when stdout is for a program. */
  progress: (line: string) => void;
  /** Bad news, always stderr. */
  problem: (text: string) => void;
  json: (value: unknown) => void;
}

export type OutputOptions = {
  quiet?: boolean;
  verbose?: boolean;
  debug?: boolean;
  json?: boolean;
  color?: boolean;
};

/** What is used of a process's stdout and stderr. */
export type Streams = { stdout: Stream; stderr: Stream };
type Stream = { write: (text: string) => unknown; isTTY?: boolean };

export function createOutput(options: OutputOptions, env: Environment, streams: Streams): Output {
  const { stdout, stderr } = streams;
  const wantsJson = options.json === true;
  const write = (stream: Stream) => (text: string) => void stream.write(`${text}\n`);
  return {
    level: levelOf(options, env),
    hasColour: wantsColour(options, env, stdout),
    isTerminal: stdout.isTTY === true,
    wantsJson,
    result: wantsJson ? () => {} : write(stdout),
    progress: write(wantsJson ? stderr : stdout),
    problem: write(stderr),
    json: (value) => void stdout.write(`${JSON.stringify(value, null, 2)}\n`),
  };
}

function levelOf({ quiet, verbose, debug }: OutputOptions, env: Environment): Output["level"] {
  if (debug || env.RALPH_DEBUG === "1") return "debug";
  if (verbose) return "verbose";
  return quiet ? "quiet" : "normal";
}

/** Colours only on a terminal, never against the user's word (NO_COLOR, RALPH_NO_COLOR, --no-color). */
function wantsColour({ color, json }: OutputOptions, env: Environment, stdout: Stream): boolean {
  const isUnwanted = env.NO_COLOR || env.RALPH_NO_COLOR === "1" || env.TERM === "dumb";
  return stdout.isTTY === true && color !== false && json !== true && !isUnwanted;
}
