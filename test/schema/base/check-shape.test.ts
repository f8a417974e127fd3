import { expect, test } from "vitest";
import * as z from "zod";
import { checkShape, conclude } from "../../../src/schema/base/check-shape.ts";

const Shape = z.strictObject({
  word: z.string().min(2).max(3).optional(),
  rank: z.int().max(5).optional(),
  names: z.array(z.string()).min(1).max(2).optional(),
  kind: z.enum(["a", "b"]).optional(),
  code: z.string().regex(/^x/, "must start with x").optional(),
  from: z.strictObject({ time: z.string("must be a time") }).optional(),
  gate: z
    .strictObject({ name: z.string(), cmd: z.string(), fatal: z.boolean().default(true) })
    .optional(),
  rest: z.strictObject({ a: z.int().optional() }).optional(),
});

test.each<[object, string]>([
  [{ word: 1 }, "must be text, not 1; put it in quotes"],
  [{ word: null }, "must be text, not null"],
  [{ word: {} }, "must be text, not an object; put text that begins with { in quotes"],
  [{ word: "x" }, "must have at least 2 characters"],
  [{ word: "xxxx" }, "must have at most 3 characters"],
  [{ rank: 6 }, "must be at most 5"],
  [{ rank: 2 ** 60 }, "must be at most 5"],
  [{ rest: { a: 2 ** 60 } }, "must be at most 9007199254740991"],
  [{ rest: [] }, "must be an object, not a list"],
  [{ from: 1 }, "must be an object with time, not 1"],
  [{ gate: "npm test" }, "must be an object with name and cmd, not text"],
  [{ gate: { cmd: "x" } }, "is missing; add it"],
  [{ gate: { cmd: "x", name: undefined } }, "is empty; give it a value"],
  [{ from: { time: undefined } }, "is empty; it must be a time"],
  [{ gate: { name: "a", cmd: "x", fatal: "yes" } }, "must be true or false, not text; write true"],
  [{ gate: { name: "a", cmd: "x", fatal: "Off" } }, "must be true or false, not text; write false"],
  [{ gate: { name: "a", cmd: "x", fatal: "1" } }, "must be true or false, not text"],
  [{ rank: 1.5 }, "must be a whole number, not 1.5"],
  [{ rank: "1" }, "must be a number, not text; remove the quotes"],
  [{ rank: "one" }, "must be a number, not text"],
  [{ names: [] }, "must not be empty"],
  [{ names: ["a", "b", "c"] }, "must have at most 2 entries"],
  [{ kind: "c" }, 'must be "a" or "b"'],
  [{ code: "y" }, "must start with x"],
  [{ from: {} }, "is missing; it must be a time"],
])("%j: %s", (value, message) => {
  const result = checkShape(Shape, value);
  expect(result).toMatchObject({ kind: "invalid", findings: [{ severity: "error", message }] });
});

test("an unknown key makes a value invalid and is left to others to name", () => {
  expect(checkShape(Shape, { wrod: 1 })).toEqual({ kind: "invalid", findings: [] });
});

test("data is handed on with warnings, and never with an error", () => {
  const shape = checkShape(Shape, { word: "ok" });
  const warning = { severity: "warning", path: [], message: "is odd" } as const;
  expect(conclude(shape, [warning])).toEqual({ data: { word: "ok" }, findings: [warning] });
  expect(conclude(shape, [{ ...warning, severity: "error" }]).data).toBeUndefined();
  expect(conclude(checkShape(Shape, { word: 1 }), []).data).toBeUndefined();
});
