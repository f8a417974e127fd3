import { expect, test } from "vitest";
import * as z from "zod";
import { checkClosed } from "../../../src/schema/base/check-shape.ts";

const Shape = z.strictObject({
  word: z.string(),
  inner: z.strictObject({ rank: z.int() }).optional(),
});

test("a valid value is handed on", () => {
  expect(checkClosed(Shape, { word: "a" })).toEqual({ kind: "valid", data: { word: "a" } });
});

test("each unknown key is an error of its own, beside the wrong values", () => {
  expect(checkClosed(Shape, { word: 1, wrod: 1, inner: { rank: 1, x: 1 } })).toEqual({
    kind: "invalid",
    findings: [
      { severity: "error", path: ["word"], message: "must be text, not 1; put it in quotes" },
      { severity: "error", path: ["wrod"], message: 'is not a known key; did you mean "word"?' },
      { severity: "error", path: ["inner", "x"], message: "is not a known key; remove it" },
    ],
  });
});
