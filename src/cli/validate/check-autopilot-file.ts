import { Analysis } from "../../schema/autopilot/analysis.ts";
import { checkPrdDocument } from "../../schema/autopilot/check-prd-document.ts";
import { checkClosed } from "../../schema/base/check-closed.ts";
import { conclude } from "../../schema/base/check-shape.ts";
import { checkRunRecord } from "../../schema/session-files/check-run-record.ts";
import { type AcceptedSource, acceptSource } from "../../sources/accept-source.ts";
import { parseFrontMatter } from "../../sources/front-matter.ts";
import { parseJson } from "../../sources/parse-json.ts";
import type { ParsedText, TextSource } from "../../sources/parsed-text.ts";
import { readSource } from "../../sources/read-source.ts";
import type { Refusal } from "../../sources/source-error.ts";
import { plainLine } from "../../text/plain-text.ts";
import type { CheckInput, ValidFile } from "./target.ts";

const maxBytes = 1024 * 1024;

/** `analysis.json` (specs 004 10.3). */
export async function checkAnalysisFile(place: CheckInput): Promise<ValidFile> {
  const check = (value: unknown) => conclude(checkClosed(Analysis, value), []);
  const { data, warnings } = await readAndCheck(place, { parse: parseJson, check });
  return { note: `a valid analysis: ${plainLine(data.priority_item)}`, warnings };
}

/** A run record (specs 004 10.4). */
export async function checkRecordFile(place: CheckInput): Promise<ValidFile> {
  const { data, warnings } = await readAndCheck(place, { parse: parseJson, check: checkRunRecord });
  return { note: `a valid run record, ${data.status}`, warnings };
}

/** A requirements document with its front matter (specs 004 10.5). */
export async function checkPrdFile(place: CheckInput): Promise<ValidFile> {
  const { warnings } = await readAndCheck(place, {
    parse: parseFrontMatter,
    check: checkPrdDocument,
  });
  return { note: "a valid requirements document", warnings };
}

type SourceFormat<Data> = {
  parse: (source: TextSource) => ParsedText;
  check: (value: unknown, text: string) => ReturnType<typeof conclude<Data>>;
};

async function readAndCheck<Data>(
  { file, target: { shown } }: CheckInput,
  { parse, check }: SourceFormat<Data>,
): Promise<AcceptedSource<Data>> {
  const refusal: Refusal = {
    reason: "source",
    file: shown,
    remedy: `Fix ${shown} at the places above, then run \`ralph validate ${shown}\`.`,
  };
  const missing = { ...refusal, remedy: "Name an existing file." };
  const bytes = await readSource(file, { maxBytes, missing });
  const parsed = parse({ bytes, file: shown, maxBytes });
  return acceptSource(parsed, { check: (value) => check(value, bytes.toString()), refusal });
}
