import { expect, test } from "vitest";
import { createAxis, width } from "../../../src/views/html/axis.ts";

const hour = 3_600_000;

test("moments are placed in proportion to time", () => {
  const { from, to, breaks, place } = createAxis([
    { from: 2000, to: 3000 },
    { from: 1000, to: 2500 },
  ]);
  expect({ from, to, breaks }).toEqual({ from: 1000, to: 3000, breaks: [] });
  expect([1000, 1500, 3000].map(place)).toEqual([0, width / 4, width]);
});

test("a night between two parts of a session is cut short", () => {
  const { breaks, place } = createAxis([
    { from: 0, to: hour },
    { from: 11 * hour, to: 12 * hour },
  ]);
  expect(breaks).toEqual([{ from: hour, to: 11 * hour }]);
  const [before = 0, after = 0] = [hour, 11 * hour].map(place);
  expect(after - before).toBeCloseTo((width * 0.02) / 1.02, 5);
  expect(place(12 * hour)).toBe(width);
  expect(place(6 * hour)).toBeCloseTo((before + after) / 2, 5);
});

test("moments outside are placed at the edges, and without time there is only one place", () => {
  const { place } = createAxis([{ from: 1000, to: 2000 }]);
  expect([0, 9000].map(place)).toEqual([0, width]);
  expect(createAxis([]).place(5)).toBe(0);
});
