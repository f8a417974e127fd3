import { appendFileSync } from "node:fs";
import { createProgram } from "../../../src/cli/program.ts";
import { createCancelSignal } from "../../../src/entry/cancel-signal.ts";
import { createSystem } from "../../../src/platform/create-system.ts";
import type { Clock } from "../../../src/platform/system.ts";
import type { Orders } from "./project.ts";
import { crashFetch, createCrashSystem, createKiller } from "./system.ts";

/** A watch over CI and a pause after a failure take no longer than what is tested. */
const hurried = (clock: Clock): Clock => ({
  ...clock,
  sleep: (ms, signal) => clock.sleep(Math.min(ms, 50), signal),
});

// The command `ralph` with a system that kills its own process: `child.ts ORDERS ralph-arguments…`.
const [orders = "{}", ...args] = process.argv.slice(2);
const { point, effects, errors }: Orders = JSON.parse(orders);

const noteIn = (path: string | undefined) => (name: string) =>
  path && appendFileSync(path, `${name}\n`);
const killer = createKiller({ point, onEffect: noteIn(effects), onError: noteIn(errors) });
globalThis.fetch = crashFetch(globalThis.fetch, killer);
const system = createSystem();
const crashing = createCrashSystem({ ...system, clock: hurried(system.clock) }, killer);
const program = await createProgram(
  {
    system: () => crashing,
    directory: process.cwd(),
    streams: process,
    cancel: () => createCancelSignal(process),
    exit: (code) => {
      process.exitCode = code;
    },
  },
  args,
);
await program.parseAsync(args, { from: "user" });
