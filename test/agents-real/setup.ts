import type { TestProject } from "vitest/node";
import { installAgents } from "./install.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** Folder of the real agent programs; empty where they cannot be installed. */
    agentPrograms: string;
  }
}

/** Before all tests: the programs are there, or one line says why everything is skipped. */
export async function setup(project: TestProject): Promise<void> {
  project.provide("agentPrograms", await installAgents().catch(skip));
}

/** A lock file that does not fit is our own fault, not the machine's. */
const ourFault = /EUSAGE|EINTEGRITY/;

function skip(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error);
  if (ourFault.test(text)) throw error;
  const lines = text.split("\n");
  const isSentence = (line: string) => /^npm error(?: \S+){4}/.test(line);
  const reason = lines.find(isSentence) ?? lines[0];
  console.info(`skipped: the agent programs cannot be installed here: ${reason}`);
  return "";
}
