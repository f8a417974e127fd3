import { CommanderError } from "commander";
import { createCancelSignal } from "../entry/cancel-signal.ts";
import type { CommandHost } from "./core/command.ts";
import { createProgram } from "./program.ts";

/** The command `ralph`. Only this file uses the real process. */
const host: CommandHost = {
  system: async () => (await import("../platform/create-system.ts")).createSystem(),
  directory: process.cwd(),
  streams: process,
  cancel: () => createCancelSignal(process),
  exit: (code) => {
    process.exitCode = code;
  },
};
// An older Node has started this one (dist/cli.js) and was killed.
process.channel?.unref();
process.once("disconnect", () => process.kill(process.pid, "SIGTERM"));
// A closed pipe (`| head`) does not end a session.
for (const stream of [process.stdout, process.stderr]) stream.on("error", () => {});
try {
  const program = await createProgram(host, process.argv.slice(2));
  await program.parseAsync(process.argv);
} catch (error) {
  // commander has already printed help, version or the usage error.
  if (!(error instanceof CommanderError)) throw error;
  process.exitCode = error.exitCode;
}
