import fc from "fast-check";
import { expect, test } from "vitest";
import { preview } from "../../src/gates/gates.ts";

const lines = (count: number) => Array.from({ length: count }, (_, index) => `line ${index + 1}`);

test("a short output is shown whole", () => {
  expect(preview(lines(100))).toBe(lines(100).join("\n"));
});

test("of a long one the first and the last 50 lines are shown", () => {
  const shown = preview(lines(1000)).split("\n");
  expect(shown).toHaveLength(101);
  expect(shown.slice(48, 53)).toEqual([
    "line 49",
    "line 50",
    "[... 900 lines left out ...]",
    "line 951",
    "line 952",
  ]);
});

test("a huge line is cut and its neighbours are counted", () => {
  const shown = preview(["first", "é".repeat(1_000_000), "last"]);
  expect(shown).toMatch(/^first\n\[\.\.\. 1 lines left out \.\.\.\]\nlast$/);
  expect(preview(["é".repeat(1_000_000)])).toMatch(/^é{1323} \[\.\.\.\]$/);
});

test("a preview never exceeds 8 KiB and 101 lines, and begins and ends like the output", () => {
  const line = fc.oneof(
    fc.string({ unit: "grapheme" }),
    fc.string({ minLength: 500, maxLength: 9000 }),
  );
  fc.assert(
    fc.property(
      fc.array(
        line.map((text) => `-${text.replace(/\s/g, "")}-`),
        { maxLength: 200 },
      ),
      (all) => {
        const shown = preview(all);
        expect(Buffer.byteLength(shown)).toBeLessThanOrEqual(8192);
        expect(shown.split("\n").length).toBeLessThanOrEqual(101);
        expect(shown.slice(0, 100)).toBe(all.join("\n").slice(0, 100).slice(0, shown.length));
      },
    ),
  );
});
