import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Project } from "./project.ts";
import { writeText } from "./write-text.ts";

/** A loop as people write one: call the agents, run the gate, commit. No proof, no state, no flush. */
const script = `prompt=$1 agents=$2 times=$3; shift 3
for RALPH_TASK_ID in "$@"; do
  export RALPH_TASK_ID
  echo "$EPOCHREALTIME" >> "$times"
  sh "$agents/implementation.sh" < "$prompt" > "$agents/output"
  sh "$agents/test_writing.sh" < "$prompt" > "$agents/output"
  bash -c true
  sh "$agents/review.sh" < "$prompt" > "$agents/output"
  git add -A && git commit -q -m "feat($RALPH_TASK_ID): work"
done
echo "$EPOCHREALTIME" >> "$times"
`;

/** Runs the bare loop over all tasks; answers the milliseconds of each. */
export function runBareLoop({ folder, root, env, tasks }: Project): number[] {
  const prompt = writeText(
    join(folder, "prompt"),
    `${"Do what the task says.\n".repeat(100)}token\n`,
  );
  const times = join(folder, "times");
  const args = ["-e", "-c", script, "loop", prompt, join(folder, "agents"), times, ...tasks];
  execFileSync("bash", args, { cwd: root, env, stdio: "inherit" });
  return gaps(
    readFileSync(times, "utf8")
      .trim()
      .split("\n")
      .map((seconds) => Number(seconds) * 1000),
  );
}

/** From each time to the next. */
export const gaps = (times: readonly number[]): number[] =>
  times.slice(1).map((time, index) => time - (times[index] ?? time));
