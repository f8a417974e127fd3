import { expect, test } from "vitest";
import { parsePullMarker, renderPullMarker } from "../../../src/views/pull-request/pull-marker.ts";

const run = "20260125-143052-a7b3c9";

test.each([
  [{ run }],
  [{ run, item: "f00d" }],
  [{ run, report: "sha256:beef" }],
  [{ run, item: "f00d", report: "beef" }],
])("a marker is read back as it was written: %j", (marker) => {
  const line = renderPullMarker(marker);
  expect(parsePullMarker(`Text.\n\n${line}\n`)).toEqual(marker);
  expect(parsePullMarker(`Text.\r\n\r\n${line}\r\nmore`)).toEqual(marker);
});

test.each([
  `A <!-- ralph:run:${run} item:- report:- -->`,
  `\`<!-- ralph:run:${run} item:- report:- -->\``,
  `<!-- ralph:run:${run} item:- report:- --> and more`,
  "<!-- ralph:run:x item:- report:- -->",
  "",
])("only a marker on its own line counts: %j", (body) => {
  expect(parsePullMarker(body)).toBeUndefined();
});

test("a marker that could not be read back is never written", () => {
  expect(() => renderPullMarker({ run: "x --> y" })).toThrow("never be found again");
  expect(() => renderPullMarker({ run, item: "a b" })).toThrow("never be found again");
});
