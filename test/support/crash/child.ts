import { appendFileSync } from "node:fs";
import { createProgram } from "../../../src/cli/program.ts";
import { createCancelSignal } from "../../../src/entry/cancel-signal.ts";
import { createSystem } from "../../../src/platform/create-system.ts";
import { createCrashSystem, type KillPoint } from "./system.ts";

// The command `ralph` with a system that kills its own process: `child.ts ORDERS ralph-arguments…`.
const [orders = "{}", ...args] = process.argv.slice(2);
const { point, effects }: { point?: KillPoint; effects?: string } = JSON.parse(orders);

const crashing = createCrashSystem(createSystem(), {
  point,
  onEffect: (name) => effects && appendFileSync(effects, `${name}\n`),
});
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
