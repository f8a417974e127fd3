import { expect, test } from "vitest";
import { repeats } from "../../../src/schema/base/repeats.ts";

test("each later item is reported with the place of the first one of its key", () => {
  expect(repeats(["a", "b", "a", "c", "a", "b"], (item) => item)).toEqual([
    { item: "a", index: 2, first: 0 },
    { item: "a", index: 4, first: 0 },
    { item: "b", index: 5, first: 1 },
  ]);
});

test("items without a key are never repeats", () => {
  expect(repeats([1, 2, 3], () => undefined)).toEqual([]);
});
