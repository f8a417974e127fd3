import type { Problem } from "../error.ts";
import type { Files } from "../platform/system.ts";
import { checkPrd } from "../schema/tasks/check-prd.ts";
import { checkForeignList } from "../schema/tasks/foreign/check-foreign-list.ts";
import { type CompoundConfig, checkCompound } from "../schema/tasks/foreign/compound.ts";
import { isForeignList } from "../schema/tasks/foreign/entries.ts";
import type { Prd, Task } from "../schema/tasks/prd.ts";
import type { Refusal } from "./accept-source.ts";
import { type AcceptedSource, acceptSource } from "./accept-source.ts";
import { isMarkdown, parseMarkdownTasks } from "./markdown-tasks.ts";
import { parseJson } from "./parse-json.ts";
import { readSource } from "./read-source.ts";

/** Enough for hundreds of tasks with long texts (T60). */
const maxBytes = 4 * 1024 * 1024;

/** A valid task list, its text, and its warnings. */
export type TaskFile = { prd: Prd; text: string; warnings: Problem[] };

/** Reads and checks `.ralph/prd.json` or another list. Callers may trust the result. */
export async function readTaskFile(files: Pick<Files, "read">, file: string): Promise<TaskFile> {
  const missing: Refusal = {
    reason: "source",
    file,
    remedy:
      "Write a task list there (`ralph init` makes one with an example), or name another with `--prd-json`.",
  };
  return parseTaskFile(await readSource(files, { maxBytes, missing }), file);
}

/** Checks the bytes of a task list: ralph's own, one in Markdown, or another tool's. One error lists all problems. */
export function parseTaskFile(bytes: Uint8Array, file: string): TaskFile {
  const refusal: Refusal = {
    reason: "source",
    file,
    remedy: `Correct ${file} at the places above, then run \`ralph validate --tasks ${file}\`.`,
  };
  const parse = isMarkdown(file) ? parseMarkdownTasks : parseJsonTasks;
  const { data: prd, text, warnings } = parse(bytes, refusal);
  return { prd: { ...prd, tasks: prd.tasks.map(withOpenParts) }, text, warnings };
}

/** A task passes only when all of its subtasks have passed (specs 004 3.6). */
function withOpenParts(task: Task): Task {
  const isOpen = task.subtasks?.some(({ passes, promotedTo }) => !passes && !promotedTo);
  return task.passes && isOpen ? { ...task, passes: false } : task;
}

function parseJsonTasks(bytes: Uint8Array, refusal: Refusal): AcceptedSource<Prd> {
  const { file } = refusal;
  const parsed = parseJson({ bytes, file, maxBytes });
  const about = { kind: "list", source: "imported-prd", file } as const;
  const check = (value: unknown) =>
    isForeignList(value) ? checkForeignList(value, about) : checkPrd(value);
  return acceptSource(parsed, { check, refusal });
}

/** Checks the bytes of any tool's list; `project` is its name if it has none. `isOurs`: its text can be kept. */
export function parseForeignTaskFile(
  bytes: Uint8Array,
  refusal: Refusal,
  { project, shown }: { project: string; shown: string },
): AcceptedSource<Prd> & { isOurs: boolean } {
  const parsed = parseJson({ bytes, file: refusal.file, maxBytes });
  const isOurs = parsed.kind === "parsed" && checkPrd(parsed.value).data !== undefined;
  const about = { kind: "list", source: "imported-prd", file: shown, project } as const;
  const check = (value: unknown) => (isOurs ? checkPrd(value) : checkForeignList(value, about));
  return { ...acceptSource(parsed, { check, refusal }), isOurs };
}

const maxCompoundBytes = 64 * 1024;

/** Checks the bytes of a `compound.config.json`. One error lists all problems. */
export function parseCompoundConfig(
  bytes: Uint8Array,
  refusal: Refusal,
): AcceptedSource<CompoundConfig> {
  const parsed = parseJson({ bytes, file: refusal.file, maxBytes: maxCompoundBytes });
  return acceptSource(parsed, { check: checkCompound, refusal });
}
