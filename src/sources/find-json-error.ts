import { printParseErrorCode, visit } from "jsonc-parser";
import { type Mistake, positionAt } from "./parsed-text.ts";

/** JSON without comments and trailing commas. */
export const strictJson = {
  disallowComments: true,
  allowTrailingComma: false,
  allowEmptyContent: false,
};

/**
 * The first grammar mistake, or undefined for valid JSON. The engine's own parser decides; the library gives place and
 * reason. The text must not be nested deeply.
 */
export function findJsonError(text: string): Mistake | undefined {
  try {
    JSON.parse(text);
    return undefined;
  } catch {
    return firstError(text) ?? { message: "is not valid JSON" };
  }
}

function firstError(text: string): Mistake | undefined {
  let first: Mistake | undefined;
  const onError = (code: number, offset: number) => {
    first ??= {
      ...positionAt(text, offset),
      message: nameError(code, offset >= text.trimEnd().length),
    };
  };
  visit(text, { onError }, strictJson);
  return first;
}

const hints: Record<string, string> = {
  InvalidSymbol: "this is not JSON; texts and keys need double quotes",
  InvalidCommentToken: "comments are not allowed in JSON; remove it",
  PropertyNameExpected: "a key in double quotes is expected here; look for a comma too many",
  ValueExpected: "a value is expected here; look for a comma too many",
  CommaExpected: "a comma is expected here",
  ColonExpected: "a colon is expected here",
  EndOfFileExpected: "the document has ended before this; remove the rest",
  UnexpectedEndOfString: 'the text that begins here has no closing "; the file may be cut off',
  InvalidCharacter: "control characters in a text must be escaped, such as \\n",
  InvalidEscapeCharacter: "this escape does not exist in JSON; write \\\\ for a backslash",
};

function nameError(code: number, isAtEnd: boolean): string {
  if (isAtEnd) return "ends too early; the file may be cut off";
  const name = printParseErrorCode(code);
  return hints[name] ?? name.replace(/(?<=[a-z])[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
}
