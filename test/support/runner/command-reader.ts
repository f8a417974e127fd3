import type { JobLog } from "./job-log.ts";
import { commandNames, type LogCommand, parseLogCommand } from "./log-commands.ts";
import type { Texts } from "./model.ts";

/** Takes in the output of one step, line by line, and carries out the commands in it. */
export interface CommandReader {
  read(line: string): void;
  readonly outputs: Texts;
  /** Whether a command went wrong, which fails the step. */
  readonly hasFailed: boolean;
}

type Act = (command: LogCommand) => void;

/** `isDebug` shows `::debug::` lines, as `ACTIONS_STEP_DEBUG` does. */
export function createCommandReader(log: JobLog, { isDebug }: { isDebug: boolean }): CommandReader {
  let stopToken: string | undefined;
  let isEchoing = isDebug;
  const reader = { outputs: {} as Texts, hasFailed: false };
  const annotate: Act = ({ name, message, properties }) =>
    log.annotate({ level: name as "error", message, properties });
  const refuse: Act = ({ name }) => {
    throw new Error(`The \`${name}\` command is disabled.`);
  };
  const acts: Record<string, Act> = {
    error: annotate,
    warning: annotate,
    notice: annotate,
    "set-env": refuse,
    "add-path": refuse,
    "add-mask": ({ message }) => log.addMask(message),
    debug: ({ message }) => isDebug && log.write(`##[debug]${message}`),
    group: ({ message }) => log.write(`##[group]${message}`),
    endgroup: () => log.write("##[endgroup]"),
    echo: ({ message }) => {
      isEchoing = /^on$/i.test(message.trim());
    },
    "set-output": ({ properties, message }) => {
      if (!properties.name) throw new Error("Required field 'name' is missing in ##[set-output].");
      reader.outputs[properties.name] = message;
    },
    "stop-commands": ({ message }) => {
      if (message === "" || commandNames.includes(message)) {
        throw new Error("Invalid stop-commands token.");
      }
      stopToken = message;
      log.addMask(message);
    },
  };
  const act = (command: LogCommand) => {
    try {
      acts[command.name]?.(command);
    } catch (error) {
      reader.hasFailed = true;
      const { message } = error as Error;
      const text = `Unable to process command '${command.name}' successfully. ${message}`;
      log.annotate({ level: "error", message: text, properties: {} });
    }
  };
  const read = (line: string) => {
    log.record(line);
    const known = stopToken === undefined ? commandNames : [...commandNames, stopToken];
    const command = parseLogCommand(line, known);
    const isStopped = stopToken !== undefined;
    if (command?.name === stopToken?.toLowerCase()) stopToken = undefined;
    if (command === undefined || isStopped || (isEchoing && command.name !== "add-mask")) {
      log.write(line);
    }
    if (command !== undefined && !isStopped) act(command);
  };
  return Object.assign(reader, { read });
}
