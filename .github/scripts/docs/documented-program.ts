import { createProgram } from "../../../src/cli/program.ts";
import { createSystem } from "../../../src/platform/create-system.ts";

/** The command with all its commands and options, to be looked at and not run. */
export const documentedProgram = await createProgram(
  {
    system: createSystem,
    directory: "/",
    streams: process,
    cancel: () => new AbortController().signal,
    exit: () => {},
  },
  [],
);
