import { randomUUID } from "node:crypto";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { type CrashProject, type CrashTemplate, createCrashTemplate } from "./project.ts";
import { sessionFolders } from "./recovery.ts";

/** T-002's first implementation writes half of its work and then ends the session, once, as `../how` says. */
const onCall = `
if [ "$RALPH_ROLE $task" = "implementation T-002" ] && [ -e ../how ]; then
  how=$(cat ../how)
  rm ../how
  mkdir -p src
  echo half >src/half.txt
  case $how in
  killed) kill -9 $PPID ;;
  cancelled) kill -INT $PPID && sleep 5 ;;
  esac
fi`;

/** A template whose gate fails as long as there is a file `broken` beside the project. */
export function createInterruptedTemplate(): Promise<CrashTemplate> {
  return createCrashTemplate({ onCall, gate: "test ! -e ../broken" });
}

export interface Interrupted extends CrashProject {
  /** The session's folder in the store. */
  readonly session: string;
}

/** A project whose session stopped in the middle of T-002; T-001 has passed. */
export async function interruptedProject(
  template: CrashTemplate,
  how: "killed" | "cancelled",
): Promise<Interrupted> {
  const project = template.copy(randomUUID());
  writeFileSync(join(project.root, "../how"), how);
  const { code, output } = await project.ralph(["run"]);
  if (code !== (how === "killed" ? null : 7)) throw new Error(output);
  const [session = ""] = sessionFolders(project.stateDir);
  return { ...project, session };
}
