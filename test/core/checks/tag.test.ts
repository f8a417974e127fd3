import { expect, test } from "vitest";
import { scanTags } from "../../../src/core/checks/tag.ts";

test("tags are found with their place, their attributes and nothing around them", () => {
  const text = "a <Note id=\"1\" to='b c'>x</NOTE > <other> <note/>";
  const tags = [...scanTags(text, "note")];
  expect(tags.map(({ start, end }) => text.slice(start, end))).toEqual([
    "<Note id=\"1\" to='b c'>",
    "</NOTE >",
    "<note/>",
  ]);
  expect(tags.map((tag) => (tag.kind === "opening" ? tag.attributes : tag.kind))).toEqual([
    { id: "1", to: "b c" },
    "closing",
    {},
  ]);
});

test("a character whose lower case is longer does not shift the offsets", () => {
  const text = `${"\u0130".repeat(5)}<note a="b">`;
  const [tag] = [...scanTags(text, "note")];
  expect(tag?.start).toBe(5);
});

test("the names of object members are ordinary attributes", () => {
  const [tag] = [...scanTags('<note constructor="x">', "note")];
  expect(tag).toMatchObject({ attributes: { constructor: "x" } });
});

test("a longer name is another tag, and a stray `<` hides none", () => {
  expect([...scanTags('<notex> <notex a="b">', "note")]).toEqual([]);
  expect([...scanTags('<<note a="b">', "note")]).toMatchObject([{ start: 1 }]);
});

test.each([
  [511, 1],
  [512, 1],
  [513, 0],
])("of tags with %i characters %i are read", (length, count) => {
  const text = `<note a="${"x".repeat(length - '<note a="">'.length)}">`;
  expect([...scanTags(text, "note")]).toHaveLength(count);
});
