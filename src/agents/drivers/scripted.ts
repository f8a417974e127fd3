import { fileURLToPath } from "node:url";
import { createClaudeReader } from "./claude-stream.ts";
import type { Driver } from "./driver.ts";

/** Plays the scenario file (`scenario.ts`) that `agents.<role>.command` names instead of calling a model. */
export const scripted: Driver = {
  name: "scripted",
  remedy: "Set `agents.<role>.command` in .ralph/ralph.yml to the path of a scenario file.",
  reportsCost: true,
  projectFiles: [],
  credentials: [],
  command: ({ program }) => ({ file: process.execPath, args: [entryPoint(), ...program] }),
  createReader: createClaudeReader,
};

/** From source the player is a file next to this folder; in a build it is next to the bundle. */
function entryPoint(): string {
  const file = import.meta.url.endsWith(".ts")
    ? "../scripted/scripted-agent.ts"
    : // A part of the build lies one folder below the programs.
      import.meta.url.replace(/(?:\/parts)?\/[^/]*$/, "/scripted-agent.js");
  return fileURLToPath(new URL(file, import.meta.url));
}
