import { createHash } from "node:crypto";
import { globSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { data, Evaluator, Lexer, Parser } from "@actions/expressions";
import type { Json, Status } from "./model.ts";

type ExpressionData = ReturnType<Evaluator["evaluate"]>;

/** What an expression can see. */
export interface Setting {
  contexts: Record<string, Json>;
  /** `skipped` is neither a success nor a failure: a job before this one did not run. */
  status: Status | "skipped";
  workspace: string;
}

const contextNames = [
  ..."github env vars job jobs steps runner secrets strategy matrix needs inputs".split(" "),
];
const statusNames = ["success", "failure", "always", "cancelled"];

/** The value of an expression, by GitHub's own evaluator. */
export function evaluate(expression: string, setting: Setting): Json {
  const functions = functionsOf(setting);
  const tree = new Parser(tokensOf(expression), contextNames, functions).parse();
  const none = Object.fromEntries(contextNames.map((name) => [name, {}]));
  const contexts = toDictionary({ ...none, ...setting.contexts });
  const table = new Map(functions.map((entry) => [entry.name.toLowerCase(), entry]));
  return fromData(new Evaluator(tree, contexts, table).evaluate());
}

/** Whether a condition holds; one that asks for no status means `success()` as well. */
export function isTrue(condition: string, setting: Setting): boolean {
  const tokens = tokensOf(condition);
  const asks = tokens.some(
    ({ lexeme }, index) =>
      statusNames.includes(lexeme.toLowerCase()) && tokens[index + 1]?.lexeme === "(",
  );
  return evaluate(asks ? `!!(${condition})` : `success() && !!(${condition})`, setting) === true;
}

function tokensOf(expression: string) {
  const { tokens } = new Lexer(expression).lex();
  // The lexer turns only the first '' of a string into a quote.
  const quoted = /^'(.*)'$/s;
  return tokens.map((token) => {
    const text = quoted.exec(token.lexeme)?.[1];
    return text === undefined ? token : { ...token, value: text.replaceAll("''", "'") };
  });
}

function functionsOf({ status, workspace }: Setting) {
  const flag = (name: string, isSet: boolean) => ({
    name,
    minArgs: 0,
    maxArgs: 255,
    call: () => new data.BooleanData(isSet),
  });
  const hashFiles = (...patterns: ExpressionData[]) =>
    new data.StringData(
      hashOf(
        patterns.map((pattern) => pattern.coerceString()),
        workspace,
      ),
    );
  return [
    flag("success", status === "success"),
    flag("failure", status === "failure"),
    flag("cancelled", status === "cancelled"),
    flag("always", true),
    { name: "hashFiles", minArgs: 1, maxArgs: 255, call: hashFiles },
  ];
}

function hashOf(patterns: string[], cwd: string): string {
  const files = globSync(patterns, { cwd }).filter((path) => statSync(join(cwd, path)).isFile());
  const whole = createHash("sha256");
  for (const path of files.sort()) {
    whole.update(
      createHash("sha256")
        .update(readFileSync(join(cwd, path)))
        .digest(),
    );
  }
  return files.length === 0 ? "" : whole.digest("hex");
}

function toData(value: Json): ExpressionData {
  if (value === null) return new data.Null();
  if (typeof value === "boolean") return new data.BooleanData(value);
  if (typeof value === "number") return new data.NumberData(value);
  if (typeof value === "string") return new data.StringData(value);
  return Array.isArray(value) ? new data.Array(...value.map(toData)) : toDictionary(value);
}

function toDictionary(value: Record<string, Json>) {
  const pairs = Object.entries(value).map(([key, entry]) => ({ key, value: toData(entry) }));
  return new data.Dictionary(...pairs);
}

function fromData(value: ExpressionData): Json {
  if (value instanceof data.Array) return value.values().map(fromData);
  if (value instanceof data.Dictionary) {
    return Object.fromEntries(value.pairs().map(({ key, value }) => [key, fromData(value)]));
  }
  return value instanceof data.Null ? null : value.value;
}
