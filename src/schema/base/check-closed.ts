import type * as z from "zod";
import { checkShape, type ShapeResult } from "./check-shape.ts";
import { errorAt } from "./finding.ts";
import { unknownKeys } from "./unknown-keys.ts";

/** Checks a value against a schema of closed objects: unknown keys are errors that name the nearest known one. */
export function checkClosed<Schema extends z.ZodType>(
  schema: Schema,
  value: unknown,
): ShapeResult<z.output<Schema>> {
  const shape = checkShape(schema, value);
  // A valid shape has no unknown key, and printing the schema for the search takes milliseconds.
  if (shape.kind === "valid") return shape;
  const strange = unknownKeys(schema, value).map(({ path, meant }) =>
    errorAt(path, `is not a known key; ${meant ? `did you mean "${meant}"?` : "remove it"}`),
  );
  return { kind: "invalid", findings: [...shape.findings, ...strange] };
}
