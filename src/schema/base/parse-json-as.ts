import type * as z from "zod";
import { jsonValue } from "../../text/json-value.ts";

/** A JSON text in the form of a schema; undefined for any other text. */
export function parseJsonAs<Schema extends z.ZodType>(
  schema: Schema,
  text: string | undefined,
): z.output<Schema> | undefined {
  return schema.safeParse(jsonValue(text ?? "")).data;
}
