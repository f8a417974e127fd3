import { Analysis } from "../../schema/autopilot/analysis.ts";
import { checkPrdDocument } from "../../schema/autopilot/prd-document.ts";
import { checkClosed, conclude } from "../../schema/base/check-shape.ts";
import { checkRunRecord } from "../../schema/session-files/check-session-files.ts";
import { isForeignList } from "../../schema/tasks/foreign/entries.ts";
import type { Prd } from "../../schema/tasks/prd.ts";
import { requireOwnBranch } from "../../session/open/require-branches.ts";
import type { Refusal } from "../../sources/accept-source.ts";
import { acceptSource } from "../../sources/accept-source.ts";
import { organizationPath, parseOrganization } from "../../sources/config-file.ts";
import { parseMarkdownTasks } from "../../sources/markdown-tasks.ts";
import { parseJson } from "../../sources/parse-json.ts";
import { parseFrontMatter } from "../../sources/parse-yaml.ts";
import type { ParsedText, TextSource } from "../../sources/parsed-text.ts";
import { readSource } from "../../sources/read-source.ts";
import { parseCompoundConfig, readTaskFile } from "../../sources/task-file.ts";
import { counted } from "../../text/figures.ts";
import { plainLine } from "../../text/plain-text.ts";
import type { CheckInput, ValidFile } from "./target.ts";

const mebibyte = 1024 * 1024;

/** A task list: of ralph, in Markdown, or of another tool. */
export async function checkTaskFile({ file, config, target }: CheckInput): Promise<ValidFile> {
  const { prd, text, warnings } = await readTaskFile(file, target.shown);
  if (config) requireOwnBranch(config, prd);
  const isForeign = /^\s*[[{]/.test(text) && isForeignList(JSON.parse(text));
  const name = isForeign ? "task list of another tool" : "task list";
  return { note: `a valid ${name}, ${countOf(prd)}`, warnings };
}

/** A change request, or another Markdown file with a task list (compatibility 1.19). */
export async function checkRequestFile(given: CheckInput): Promise<ValidFile> {
  const { bytes, refusal } = await readNamed(given, { maxBytes: 4 * mebibyte });
  const { data, warnings } = parseMarkdownTasks(bytes, refusal);
  return { note: `a valid change request, ${countOf(data)}`, warnings };
}

/** The configuration of compound-product, which `ralph migrate` converts. */
export async function checkCompoundFile(given: CheckInput): Promise<ValidFile> {
  const { bytes, refusal } = await readNamed(given, { maxBytes: 4 * mebibyte });
  const { warnings } = parseCompoundConfig(bytes, { ...refusal, reason: "config" });
  const note = "a configuration of compound-product; convert it with `ralph migrate`";
  return { note, warnings };
}

/** An owner's settings, as the App reads them (exit 1 with all problems). */
export async function checkOrganizationFile(given: CheckInput): Promise<ValidFile> {
  const { bytes } = await readNamed(given, { reason: "config" });
  parseOrganization(bytes, given.target.shown);
  const place = `the App reads it as ${organizationPath} of the owner's repository .github`;
  return { note: `valid settings for all repositories of an owner; ${place}`, warnings: [] };
}

/** `analysis.json` (specs 004 10.3). */
export const checkAnalysisFile = (given: CheckInput) =>
  checkFormat(given, {
    parse: parseJson,
    check: (value) => conclude(checkClosed(Analysis, value), []),
    note: ({ priority_item }) => `a valid analysis: ${plainLine(priority_item)}`,
  });

/** A run record (specs 004 10.4). */
export const checkRecordFile = (given: CheckInput) =>
  checkFormat(given, {
    parse: parseJson,
    check: checkRunRecord,
    note: ({ status }) => `a valid run record, ${status}`,
  });

/** A requirements document with its front matter (specs 004 10.5). */
export const checkPrdFile = (given: CheckInput) =>
  checkFormat(given, {
    parse: parseFrontMatter,
    check: checkPrdDocument,
    note: () => "a valid requirements document",
  });

type SourceFormat<Data> = {
  parse: (source: TextSource) => ParsedText;
  check: (value: unknown, text: string) => ReturnType<typeof conclude<Data>>;
  note: (data: Data) => string;
};

async function checkFormat<Data>(given: CheckInput, format: SourceFormat<Data>) {
  const { bytes, refusal } = await readNamed(given, {});
  const parsed = format.parse({ bytes, file: refusal.file, maxBytes: mebibyte });
  const check = (value: unknown) => format.check(value, bytes.toString());
  const { data, warnings } = acceptSource(parsed, { check, refusal });
  return { note: format.note(data), warnings };
}

async function readNamed(
  { file, target: { shown } }: CheckInput,
  { maxBytes = mebibyte, reason = "source" }: { maxBytes?: number; reason?: Refusal["reason"] },
) {
  const remedy = `Fix ${shown} at the places above, then run \`ralph validate ${shown}\`.`;
  const refusal: Refusal = { reason, file: shown, remedy };
  const missing = { ...refusal, remedy: "Name an existing file." };
  return { bytes: await readSource(file, { maxBytes, missing }), refusal };
}

function countOf({ tasks }: Pick<Prd, "tasks">): string {
  const passed = tasks.filter(({ passes }) => passes).length;
  return `${counted(tasks.length, "task")}, ${passed} passed`;
}
