import { isForeignList } from "../../schema/tasks/foreign/entries.ts";
import { requireOwnBranch } from "../../session/open/require-branches.ts";
import { parseCompoundConfig } from "../../sources/compound-config.ts";
import { parseMarkdownTasks } from "../../sources/markdown-tasks.ts";
import { readSource } from "../../sources/read-source.ts";
import type { Refusal } from "../../sources/source-error.ts";
import { readTaskFile, type TaskFile } from "../../sources/task-file.ts";
import { counted } from "../../text/figures.ts";
import type { CheckInput, ValidFile } from "./target.ts";

const maxBytes = 4 * 1024 * 1024;

/** A task list: of ralph, in Markdown, or of another tool. */
export async function checkTaskFile(given: CheckInput): Promise<ValidFile> {
  const { file, config, target } = given;
  const read = await readTaskFile(file, target.shown);
  if (config) requireOwnBranch(config, read.prd);
  return { note: `a valid ${nameOf(read)}, ${countOf(read)}`, warnings: read.warnings };
}

/** A change request, or another Markdown file with a task list (compatibility 1.19). */
export async function checkRequestFile({
  file,
  target: { shown },
}: CheckInput): Promise<ValidFile> {
  const { bytes, refusal } = await readNamed(file, shown);
  const { data: prd, warnings } = parseMarkdownTasks(bytes, refusal);
  return { note: `a valid change request, ${countOf({ prd })}`, warnings };
}

/** The configuration of compound-product, which `ralph migrate` converts. */
export async function checkCompoundFile({
  file,
  target: { shown },
}: CheckInput): Promise<ValidFile> {
  const { bytes, refusal } = await readNamed(file, shown);
  const { warnings } = parseCompoundConfig(bytes, { ...refusal, reason: "config" });
  return {
    note: "a configuration of compound-product; convert it with `ralph migrate`",
    warnings,
  };
}

async function readNamed(
  file: CheckInput["file"],
  shown: string,
): Promise<{ bytes: Buffer; refusal: Refusal }> {
  const remedy = `Fix ${shown} at the places above, then run \`ralph validate ${shown}\`.`;
  const refusal: Refusal = { reason: "source", file: shown, remedy };
  const missing = { ...refusal, remedy: "Name an existing file." };
  return { bytes: await readSource(file, { maxBytes, missing }), refusal };
}

function nameOf({ text }: TaskFile): string {
  return isForeignList(toValue(text)) ? "task list of another tool" : "task list";
}

/** Undefined for Markdown. */
function toValue(text: string): unknown {
  return /^\s*[[{]/.test(text) ? JSON.parse(text) : undefined;
}

function countOf({ prd: { tasks } }: Pick<TaskFile, "prd">): string {
  const passed = tasks.filter(({ passes }) => passes).length;
  return `${counted(tasks.length, "task")}, ${passed} passed`;
}
