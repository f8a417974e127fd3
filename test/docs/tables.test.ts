import { expect, test } from "vitest";
import { fillDocs, tableNames } from "../../.github/scripts/docs/fill-docs.ts";
import { pages } from "./pages.ts";

test.each(pages)("the tables of $path are what the code prints (`npm run docs`)", ({ text }) => {
  expect(text).toBe(fillDocs(text));
});

test("every table appears on exactly one page", () => {
  const shown = pages.flatMap(({ text }) =>
    Array.from(text.matchAll(/<!-- docs:(\w+) -->/g), ([, name]) => name),
  );
  expect(shown.toSorted()).toEqual(tableNames.toSorted());
});

test("a marker with an unknown name is refused", () => {
  expect(() => fillDocs("<!-- docs:sums -->\n<!-- /docs:sums -->")).toThrow(
    "No table is called sums",
  );
});
