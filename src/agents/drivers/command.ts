import type { Driver } from "./driver.ts";
import { startWith } from "./known-program.ts";
import { createPlainReader } from "./plain-reader.ts";

/** Any program: the prompt on stdin, the answer is all of stdout, exit code 0 is success. */
export const command: Driver = {
  name: "command",
  remedy: "Set `agents.<role>.command` in .ralph/ralph.yml to a program that exists.",
  projectFiles: [],
  credentials: [],
  command: startWith(() => []),
  createReader: createPlainReader,
};
