import * as z from "zod";
import { checkShape } from "../../schema/base/check-shape.ts";
import { renderPath } from "../../schema/base/finding.ts";
import { cut, plainLine, plainText } from "../../text/plain-text.ts";
import type { Judged } from "./ask-model.ts";

/** Checks an answer's shape; each mistake is a line the model can use. */
export function judgeShape<Schema extends z.ZodType>(
  schema: Schema,
  value: unknown,
): Judged<z.output<Schema>> {
  const shape = checkShape(schema, value);
  if (shape.kind === "valid") return { kind: "good", data: shape.data };
  const problems = shape.findings.map(({ path, message }) => `${renderPath(path)} ${message}`);
  return { kind: "bad", problems };
}

/** A model's text without anything that hides or steers, cut to what its place holds. */
export const longText = (max: number) =>
  z.string().transform((text) => cut(plainText(text.slice(0, max * 8)).trim(), max));

/** The same on one line. */
export const oneLine = (max: number) => z.string().transform((text) => plainLine(text, max));

/** Lines that say something, at most `max` of them. */
export const lines = (max: number, length: number) =>
  z.array(oneLine(length)).transform((found) => found.filter(Boolean).slice(0, max));
