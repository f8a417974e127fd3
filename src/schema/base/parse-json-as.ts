import type * as z from "zod";

/** A JSON text in the form of a schema; undefined for any other text. */
export function parseJsonAs<Schema extends z.ZodType>(
  schema: Schema,
  text: string | undefined,
): z.output<Schema> | undefined {
  try {
    return schema.safeParse(JSON.parse(text ?? "")).data;
  } catch {
    return undefined;
  }
}
