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
export function parseApiCriterion(text: string): ApiRequest | undefined {
  const [, method = "", url = "", sent, digit = "", rest = ""] = form.exec(text) ?? [];
  const target = unquoted(url);
  if (method === "" || !isAddress(target)) return undefined;
  const json = sent === undefined ? undefined : unquoted(sent);
  if (json !== undefined && !isJson(json)) return undefined;
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

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
