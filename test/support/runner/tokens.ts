import type { BasicExpressionToken } from "@actions/workflow-parser/templates/tokens/basic-expression-token";
import type { MappingToken } from "@actions/workflow-parser/templates/tokens/mapping-token";
import type { SequenceToken } from "@actions/workflow-parser/templates/tokens/sequence-token";
import type { TemplateToken } from "@actions/workflow-parser/templates/tokens/template-token";
import type { Json } from "./model.ts";

export type Token = TemplateToken;
export type Fields = Record<string, Token | undefined>;

/** How the parser numbers what it has read. */
const kinds = { sequence: 1, mapping: 2, expression: 3 };
const isMapping = (token: Token): token is MappingToken =>
  token.templateTokenType === kinds.mapping;
const isSequence = (token: Token): token is SequenceToken =>
  token.templateTokenType === kinds.sequence;
const isExpression = (token: Token): token is BasicExpressionToken =>
  token.templateTokenType === kinds.expression;

/** The keys of a mapping; of anything else none. */
export function fieldsOf(token: Token | undefined): Fields {
  if (token === undefined || !isMapping(token)) return {};
  return Object.fromEntries(Array.from(token, ({ key, value }) => [String(key), value]));
}

export function itemsOf(token: Token | undefined): Token[] {
  return token !== undefined && isSequence(token) ? [...token] : [];
}

/** The plain value of a token; `evaluate` answers for its expressions. */
export function plainOf(token: Token | undefined, evaluate: (expression: string) => Json): Json {
  if (token === undefined) return null;
  if (isExpression(token)) return evaluate(token.expression);
  if (isSequence(token)) return itemsOf(token).map((item) => plainOf(item, evaluate));
  if (!isMapping(token)) return "value" in token ? (token.value as Json) : null;
  const entries = Array.from(token, ({ key, value }): [string, Json] => [
    String(plainOf(key, evaluate)),
    plainOf(value, evaluate),
  ]);
  return Object.fromEntries(entries);
}

/** The value of a token that holds no expression. */
export function literalOf(token: Token | undefined): Json {
  return plainOf(token, (expression) => `\${{ ${expression} }}`);
}

/** An `if:`, which is an expression with or without its braces. */
export function conditionOf(token: Token | undefined): string {
  if (token === undefined) return "success()";
  const text = isExpression(token) ? token.expression : textOf(literalOf(token));
  return text.trim() === "" ? "success()" : text;
}

/** A value as GitHub writes it into a text. */
export function textOf(value: Json): string {
  if (value === null) return "";
  if (typeof value !== "object") return String(value);
  return Array.isArray(value) ? "Array" : "Object";
}
