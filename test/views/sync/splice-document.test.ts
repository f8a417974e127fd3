import { expect, test } from "vitest";
import { spliceDocument } from "../../../src/views/sync/document-writer.ts";
import type { SpliceView } from "../../../src/views/view.ts";
import { runOf, task } from "../../support/builders/session.ts";

const state = runOf([task("T-001")]);
const view = (splice: SpliceView["splice"]): SpliceView => ({
  kind: "splice",
  name: "test",
  path: () => "test.txt",
  splice,
});
const adding = view((text) => `${text ?? ""}+`);

test("a byte order mark stays where it is", () => {
  expect(spliceDocument(adding, Buffer.from("\uFEFFa"), state)).toBe("\uFEFFa+");
});

test("a file that is not UTF-8 is left alone", () => {
  expect(spliceDocument(adding, Buffer.from([0x63, 0x61, 0x66, 0xe9]), state)).toBeUndefined();
});

test("a missing file can be created, and an unchanged text is undefined", () => {
  expect(spliceDocument(adding, undefined, state)).toBe("+");
  const same = view((text) => text);
  expect(spliceDocument(same, Buffer.from("a"), state)).toBeUndefined();
});
