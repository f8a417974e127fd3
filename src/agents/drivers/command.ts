import type { Driver } from "./driver.ts";
import { startWith } from "./known-program.ts";
import { createPlainReader } from "./plain-reader.ts";

/** Any program: it reads the prompt on stdin, its whole stdout is the answer, and exit code 0 means success. */
export const command: Driver = {
  name: "command",
  remedy: "Set `agents.<role>.command` in .ralph/ralph.yml to a program that exists.",
  projectFiles: [],
  credentials: [],
  command: startWith(() => []),
  createReader: createPlainReader,
};
