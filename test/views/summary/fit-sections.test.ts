import fc from "fast-check";
import { expect, test } from "vitest";
import {
  fitSections,
  omittedParts,
  renderFitted,
  type Section,
} from "../../../src/views/summary/fit-sections.ts";

const section = (name: string, more: Partial<Section> = {}): Section => ({
  name,
  head: `# ${name}\n`,
  items: ["one", "two", "three"],
  separator: "\n",
  rank: 0,
  ...more,
});
const pageOf = (sections: Section[], maxBytes: number) =>
  fitSections(sections, maxBytes).map(renderFitted).join("");

test("the lowest rank gets room first, the order stays", () => {
  const sections = [section("A", { rank: 2 }), section("B", { rank: 1 })];
  expect(pageOf(sections, 1000)).toBe("# A\none\ntwo\nthree\n\n# B\none\ntwo\nthree\n\n");
  expect(pageOf(sections, 24)).toBe("# B\none\ntwo\nthree\n\n");
});

test("omitted parts are named: some entries, or a whole section", () => {
  const fitted = fitSections([section("A"), section("B", { rank: 1 })], 15);
  expect(fitted.map(renderFitted)).toEqual(["# A\none\ntwo\n\n", ""]);
  expect(omittedParts(fitted)).toEqual(['1 entry of "A"', 'the section "B"']);
});

test("the page stays within its bytes, whatever the text", () => {
  const some = fc.array(fc.string({ unit: "grapheme" }));
  fc.assert(
    fc.property(fc.array(some), fc.nat(300), (lists, maxBytes) => {
      const sections = lists.map((items, rank) => section("é", { items, rank: -rank }));
      expect(Buffer.byteLength(pageOf(sections, maxBytes))).toBeLessThanOrEqual(maxBytes);
    }),
  );
});
