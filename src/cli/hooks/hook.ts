import type { Command } from "commander";
import type { CommandHost } from "../core/command.ts";
import { addTaskCompleted } from "./hook-task-completed.ts";
import { addTeammateIdle } from "./hook-teammate-idle.ts";
import { addTurn } from "./hook-turn.ts";

/** `ralph hook`: the commands that agent programs and other tools call for their events. */
export function addHook(program: Command, host: CommandHost): void {
  const group = program
    .command("hook")
    .summary("called by agent programs and other tools")
    .description(
      "Handles an event of an agent program. Name these commands in the program's hook or notification settings.",
    );
  for (const add of events) add(group, host);
}

/** In the order of the help. */
const events = [addTurn, addTaskCompleted, addTeammateIdle];
