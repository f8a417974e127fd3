import type { Command } from "commander";
import type { CommandHost } from "../core/command.ts";
import { addTaskCompleted } from "./hook-task-completed.ts";
import { addTeammateIdle } from "./hook-teammate-idle.ts";
import { addTurn } from "./hook-turn.ts";

/** `ralph hook`: what agent programs and other tools call when something has happened to them. */
export function addHook(program: Command, host: CommandHost): void {
  const group = program
    .command("hook")
    .summary("called by agent programs and other tools")
    .description(
      "Takes in an event of an agent program, as its settings for hooks or notifications name it.",
    );
  for (const add of events) add(group, host);
}

/** In the order of the help. */
const events = [addTurn, addTaskCompleted, addTeammateIdle];
