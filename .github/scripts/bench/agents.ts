import { join } from "node:path";
import { writeText } from "./write-text.ts";

/** Shell scripts that stand in for agents: a few milliseconds each, the same for ralph and the bare loop. */
export type Agents = { implementation: string; test_writing: string; review: string };

/** The token is the last line of the prompt; the answer goes through the shell's own printf, without a process. */
const readToken = "token=$(tail -n 1)\n";

const claim = `## Changes
- made the change of $RALPH_TASK_ID
## Verification
- ran the checks
## Learnings
- $RALPH_TASK_ID taught that the work goes into work/`;

const sign = (tag: string, body: string) =>
  `printf '<${tag} session="%s">\\n%s\\n</${tag}>\\n' "$token" "${body}"\n`;

/** Shell lines: `flood` prints a lot, in the implementation only; `onCall` comes first in every call. */
export type AgentLines = {
  flood: string;
  onCall: string;
  /** The files that a task changes: one of ten files in turn, or one of its own. */
  files: "ten" | "own";
};

/** Writes the scripts. They change ten files in turn, to keep the repository's size; the first call makes `started`. */
export function writeAgents(folder: string, { flood, onCall, files }: AgentLines): Agents {
  const started = join(folder, "started");
  const file = files === "ten" ? `\${RALPH_TASK_ID#T-??}.txt` : "$RALPH_TASK_ID.txt";
  const scripts: Record<keyof Agents, string> = {
    implementation: `${onCall}[ -e ${started} ] || : > ${started}
${readToken}echo "$RALPH_TASK_ID" > "work/${file}"
${flood}${sign("task-done", claim)}`,
    test_writing: `${onCall}${readToken}echo "$RALPH_TASK_ID" > "tests/${file}"
${sign("tests-done", "## Changes\n- a test")}`,
    review: `${onCall}${readToken}${sign("review-approved", "## Verification\n- it holds")}`,
  };
  const write = (role: keyof Agents) => writeText(join(folder, `${role}.sh`), scripts[role]);
  return {
    implementation: write("implementation"),
    test_writing: write("test_writing"),
    review: write("review"),
  };
}
