import type { Problem } from "../error.ts";
import { readHead } from "../schema/tasks/foreign/change-request.ts";
import {
  type About,
  checkForeignList,
  tooLong,
} from "../schema/tasks/foreign/check-foreign-list.ts";
import {
  type FoundBlock,
  findTaskBlock,
  onlyPart,
  type Remark,
} from "../schema/tasks/foreign/task-block.ts";
import type { Prd } from "../schema/tasks/prd.ts";
import { type AcceptedSource, acceptSource, type Refusal, sourceError } from "./accept-source.ts";
import { decodeText } from "./decode-text.ts";
import { parseJson } from "./parse-json.ts";
import { type ParsedText, positionAt, type TextSource } from "./parsed-text.ts";

/** Limit for a change request, which is prose with a list (T60). */
const maxBytes = 1024 * 1024;
const maxRemarks = 10;

export const isMarkdown = (file: string) => /\.(?:md|markdown)$/i.test(file);

/** Options of an import: the prefix of branches, and how priorities are assigned. */
type TakeOptions = Partial<Pick<About, "source" | "groupByCategory">> & {
  branchPrefix?: string;
};

/**
 * The task list in a change request or another Markdown text (compatibility 1.19). One error lists all problems at their
 * lines of the Markdown file. Without `branchPrefix`, only a branch that the text names is used.
 */
export function parseMarkdownTasks(
  bytes: Uint8Array,
  refusal: Refusal,
  options: TakeOptions = {},
): AcceptedSource<Prd> {
  const { file } = refusal;
  const read = { bytes: withoutMark(bytes), file, maxBytes };
  const { parsed, text, remarks, isProse } = parseBlock(read);
  if (isProse && isMarkdown(file)) throw noTasks(parsed, refusal);
  const { branchPrefix, source = "imported-cr", groupByCategory } = options;
  const { describedAt, ...head } = readHead(text, { file, prefix: branchPrefix });
  const about: About = { kind: "cr", source, file, groupByCategory, ...head };
  const check = (value: unknown) => checkForeignList(value, about);
  const { data, warnings } = acceptSource(parsed, { check, refusal });
  const long = tooLong(head.description);
  const summary = { file, ...positionAt(text, describedAt), message: `the summary ${long}` };
  return { data, text, warnings: [...(long ? [summary] : []), ...remarks, ...warnings] };
}

/** Prose without tasks is for another command. */
const noTasks = (parsed: ParsedText, { reason, file }: Refusal) =>
  sourceError(parsed.kind === "refused" ? parsed.problems : [], {
    reason,
    file,
    remedy: `Write the tasks below such a heading (\`ralph import --help\` shows how), or have them planned from the text with \`ralph autopilot --report ${file}\`.`,
  });

function parseBlock(source: TextSource): {
  parsed: ParsedText;
  text: string;
  remarks: Problem[];
  isProse: boolean;
} {
  const decoded = decodeText(source);
  const none = { remarks: [], isProse: false };
  if (decoded.kind === "refused") return { parsed: decoded, text: "", ...none };
  const { text } = decoded;
  const { file } = source;
  const block = findTaskBlock(text);
  const place = ({ offset, message }: Remark) => ({ file, ...positionAt(text, offset), message });
  const missing = whatIsMissing(block, text);
  if (block.kind === "missing" || missing) {
    const problems = missing ? [place(missing)] : [];
    const isProse = block.kind === "missing" && block.isProse;
    return { parsed: { kind: "refused", problems }, text, remarks: [], isProse };
  }
  const bytes = Buffer.from(onlyPart(text, block));
  const parsed = parseJson({ bytes, file, maxBytes: maxBytes * 4 });
  const shown = block.remarks.slice(0, maxRemarks).map(place);
  const more = block.remarks.length - shown.length;
  const rest = more > 0 ? [{ file, message: `and ${more} more blocks of JSON are not read` }] : [];
  return { parsed, text, ...none, remarks: [...shown, ...rest] };
}

function whatIsMissing(block: FoundBlock, text: string): Remark | undefined {
  if (block.kind === "missing") return block.remark;
  const isEmpty = text.slice(block.start, block.end).trim() === "";
  return isEmpty
    ? { offset: block.heading, message: "the block of JSON below is empty" }
    : undefined;
}

/** Editors on Windows begin Markdown with a byte order mark, which is ignored. */
function withoutMark(bytes: Uint8Array): Uint8Array {
  const isMarked = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf;
  return isMarked ? bytes.subarray(3) : bytes;
}
