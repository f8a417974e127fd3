import { expect, test } from "vitest";
import * as z from "zod";
import { unknownKeys } from "../../../src/schema/base/unknown-keys.ts";

const Inner = z.strictObject({ name: z.string().optional() });
const Outer = z.object({
  inner: Inner.prefault({}),
  list: z.array(Inner).default([]),
  map: z.record(z.string(), Inner).optional(),
  open: z.looseObject({ known: Inner }).optional(),
});

const pathsOf = (value: unknown) => unknownKeys(Outer, value).map(({ path }) => path);

test("keys are looked at in objects, lists and maps, through defaults", () => {
  const value = {
    inner: { naem: 1 },
    list: [{}, { x: 1 }],
    map: { any: { y: 1 } },
    open: { anything: { goes: 1 }, known: { z: 1 } },
    extra: { deep: { er: 1 } },
  };
  expect(pathsOf(value)).toEqual([
    ["inner", "naem"],
    ["list", 1, "x"],
    ["map", "any", "y"],
    ["open", "known", "z"],
    ["extra"],
  ]);
});

test("a map may have fixed names", () => {
  const Named = z.object({ roles: z.partialRecord(z.enum(["review", "fix"]), Inner) });
  expect(unknownKeys(Named, { roles: { reviw: {}, fix: { x: 1 } } })).toEqual([
    { path: ["roles", "reviw"], meant: "review" },
    { path: ["roles", "fix", "x"], meant: undefined },
  ]);
});

test("the key that was probably meant is named", () => {
  expect(unknownKeys(Outer, { innr: {} })).toEqual([{ path: ["innr"], meant: "inner" }]);
});

test("a key that has its place elsewhere is named with that place, unless there are several", () => {
  expect(unknownKeys(Outer, { Known: {}, name: "x" })).toEqual([
    { path: ["Known"], meant: "open.known" },
    { path: ["name"], meant: undefined },
  ]);
});

test("names every object inherits are unknown too", () => {
  expect(pathsOf({ toString: 1, hasOwnProperty: 1 })).toEqual([["toString"], ["hasOwnProperty"]]);
});

test.each([null, undefined, 1, "text", [1], { inner: "text", list: {} }])(
  "a value of another shape, %j, has no unknown keys",
  (value) => {
    expect(pathsOf(value)).toEqual([]);
  },
);
