import type { Environment } from "../../platform/system.ts";

/** The output of a command. With `--json`, stdout holds one JSON object and nothing else. */
export interface Output {
  readonly level: "quiet" | "normal" | "verbose" | "debug";
  readonly hasColour: boolean;
  readonly isTerminal: boolean;
  readonly wantsJson: boolean;
  /** The result of the command. */
  result: (text: string) => void;
  /** Progress: stdout, or stderr with `--json`. */
  progress: (line: string) => void;
  /** Errors and warnings: always stderr. */
  problem: (text: string) => void;
  json: (value: unknown) => void;
  /** Prints the result in the wanted form. Answers exit code 0. */
  answer: (value: object, text: string) => number;
}

export type OutputOptions = {
  quiet?: boolean;
  verbose?: boolean;
  debug?: boolean;
  json?: boolean;
  color?: boolean;
};

/** stdout and stderr of the process. */
export type Streams = { stdout: Stream; stderr: Stream };
type Stream = { write: (text: string) => unknown; isTTY?: boolean };

export function createOutput(options: OutputOptions, env: Environment, streams: Streams): Output {
  const { stdout, stderr } = streams;
  const wantsJson = options.json === true;
  const write = (stream: Stream) => (text: string) => void stream.write(`${text}\n`);
  const json = (value: unknown) => write(stdout)(JSON.stringify(value, null, 2));
  return {
    level: levelOf(options, env),
    hasColour: wantsColour(options, env, stdout),
    isTerminal: stdout.isTTY === true,
    wantsJson,
    result: wantsJson ? () => {} : write(stdout),
    progress: write(wantsJson ? stderr : stdout),
    problem: write(stderr),
    json,
    answer: (value, text) => {
      if (wantsJson) json(value);
      else write(stdout)(text);
      return 0;
    },
  };
}

function levelOf({ quiet, verbose, debug }: OutputOptions, env: Environment): Output["level"] {
  if (debug || env.RALPH_DEBUG === "1") return "debug";
  if (verbose) return "verbose";
  return quiet ? "quiet" : "normal";
}

/** Colours only on a terminal, and never with NO_COLOR, RALPH_NO_COLOR or --no-color. */
function wantsColour({ color, json }: OutputOptions, env: Environment, stdout: Stream): boolean {
  const isUnwanted = env.NO_COLOR || env.RALPH_NO_COLOR === "1" || env.TERM === "dumb";
  return stdout.isTTY === true && color !== false && json !== true && !isUnwanted;
}
