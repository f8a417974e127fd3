import { CommanderError } from "commander";
import { createCancelSignal } from "../entry/cancel-signal.ts";
import { createSystem } from "../platform/create-system.ts";
import { createProgram } from "./program.ts";

/** The command `ralph`. Only here the program meets its own process. */
const program = createProgram({
  system: createSystem(),
  directory: process.cwd(),
  streams: process,
  cancel: () => createCancelSignal(process),
  exit: (code) => {
    process.exitCode = code;
  },
});
// A reader that has seen enough (`| head`) ends nothing: a session goes on without it.
for (const stream of [process.stdout, process.stderr]) stream.on("error", () => {});
try {
  await program.parseAsync(process.argv);
} catch (error) {
  // commander has printed help, version or the usage error already.
  if (!(error instanceof CommanderError)) throw error;
  process.exitCode = error.exitCode;
}
