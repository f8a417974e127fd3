import { jsonValue } from "../../text/json-value.ts";

/** An acceptance criterion in one of the forms of specs 004 3.5; the last two need running services. */
export type Criterion =
  | { kind: "command"; command: string }
  | { kind: "file-exists"; path: string }
  | { kind: "file-contains"; path: string; text: string }
  | { kind: "judged" }
  | { kind: "api"; request: ApiRequest }
  /** `words`: the text after `agent-browser:`. */
  | { kind: "browser"; words: string };

/** Longer texts are prose: task lists allow 500 characters. This also limits every scan below. */
const maxLength = 2000;

/** Reads one criterion. A text counts only if all of it has one of the forms; the reviewer judges any other. Never throws. */
export function parseCriterion(text: string): Criterion {
  const trimmed = unescapeTicks(text.trim());
  if (trimmed.length > maxLength || /\p{Cc}/u.test(trimmed)) return { kind: "judged" };
  const request = parseApiCriterion(trimmed.replace(/\s+/gu, " "));
  if (request) return { kind: "api", request };
  const [, words] = /^agent-browser: ?(\S.*)$/isu.exec(trimmed) ?? [];
  if (words !== undefined) return { kind: "browser", words };
  const { prose, codes } = splitCodes(trimmed);
  for (const { pattern, read } of forms) {
    if (pattern.test(prose)) return read(codes) ?? { kind: "judged" };
  }
  return { kind: "judged" };
}

/** In tables all backticks are written as \`. */
function unescapeTicks(text: string): string {
  return /(?<!\\)`/.test(text) ? text : text.replaceAll("\\`", "`");
}

/** A code span opens and closes with equally many backticks, as in Markdown. */
const codeSpan = /(?<!`)(`+)(?!`)(.+?)(?<!`)\1(?!`)/gsu;
/** Placeholder for a code span in the prose; the text itself has no control characters. */
const code = "\0";

function splitCodes(text: string): { prose: string; codes: string[] } {
  const codes = [...text.matchAll(codeSpan)].map(([, , content = ""]) => unpad(content));
  const prose = text
    .replace(codeSpan, code)
    .replace(/[\u2010-\u2015\u2212]|-{2,3}/gu, "-")
    .replace(/\s+/gu, " ")
    .replace(/[ .;,!]+$/u, "");
  return { prose, codes };
}

/** Markdown pads a span with one space on each side when it begins or ends with a backtick. */
function unpad(content: string): string {
  const isPadded = /^ .*\S.* $/u.test(content);
  return isPadded ? content.slice(1, -1) : content;
}

interface Form {
  pattern: RegExp;
  /** Undefined: the form matches, but the content of the code spans is unusable. */
  read: (codes: readonly string[]) => Criterion | undefined;
}

const link = " ?(?:->?|=>|[:,])? ?";
const exits = "exits? (?:with )?(?:an? )?(?:exit |status |return )?(?:code |status )?(?:0|zero)";
const exitCode = "(?:with )?exit (?:code|status):? (?:is |of )?0";
const isZero = `(?:${exits}|${exitCode}|succeeds)`;

const forms: readonly Form[] = [
  {
    pattern: new RegExp(`^run ${code}${link}${isZero}$`, "iu"),
    read: ([command = ""]) =>
      command.trim() === "" ? undefined : { kind: "command", command: command.trim() },
  },
  {
    pattern: new RegExp(`^(?:the )?file ${code} exists$`, "iu"),
    read: ([written = ""]) => {
      const path = projectPath(written);
      return path === undefined ? undefined : { kind: "file-exists", path };
    },
  },
  {
    pattern: new RegExp(
      `^(?:the )?file ${code} contains (?:the )?(?:text |string )?${code}$`,
      "iu",
    ),
    read: ([written = "", text = ""]) => {
      const path = projectPath(written);
      return path === undefined ? undefined : { kind: "file-contains", path, text };
    },
  },
];

/** A path in the normal form git lists, or undefined when it is a pattern or may lead outside (T40). */
function projectPath(written: string): string | undefined {
  const path = written.trim().replace(/^\.\//u, "");
  const isPlain = !/^~|[\\*?:]/u.test(path) && path.split("/").every(isPlainPart);
  return isPlain ? path : undefined;
}

const isPlainPart = (part: string) => !/^(?:\.{0,2}|\.git)$/iu.test(part);

/** `POST /api/users {"name":"Ann"} returns 201`, read. */
export interface ApiRequest {
  method: string;
  /** A path with its query, or an absolute address. */
  target: string;
  /** JSON text. */
  body?: string;
  /** A status such as 201, or the first digit of a class: 2 for `2xx`. */
  status: number;
}

const methods = "GET|HEAD|POST|PUT|PATCH|DELETE|OPTIONS";
const span = "`[^`]+`";
const body = `(?:with )?(?:(?:the |a )?(?:JSON )?body )?(${span}|\\{.*\\}|\\[.*\\])`;
const form = new RegExp(
  `^(${methods}) (${span}|[^\\s\`]+)(?: ${body})? returns (?:an? )?(?:HTTP )?(?:status )?(?:code )?([1-5])(\\d\\d|xx)[ .;,!]*$`,
  "u",
);

/** Reads a criterion of the form METHOD URL returns STATUS (specs 004 3.5); undefined for any other text. */
function parseApiCriterion(text: string): ApiRequest | undefined {
  const [, method = "", url = "", sent, digit = "", rest = ""] = form.exec(text) ?? [];
  const target = unquoted(url);
  if (method === "" || !isAddress(target)) return undefined;
  const json = sent === undefined ? undefined : unquoted(sent);
  if (json !== undefined && jsonValue(json) === undefined) return undefined;
  return {
    method,
    target,
    ...(json !== undefined && { body: json }),
    status: rest === "xx" ? Number(digit) : Number(digit + rest),
  };
}

const unquoted = (text: string) => text.replace(/^`|`$/gu, "").trim();

/** Nothing that could lead to another host or break the request line. */
function isAddress(target: string): boolean {
  if (/[\s\p{Cc}]/u.test(target)) return false;
  return /^\/(?!\/)/u.test(target) || /^https?:\/\//iu.test(target);
}
