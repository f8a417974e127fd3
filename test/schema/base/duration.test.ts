import { expect, test } from "vitest";
import { durationSchema } from "../../../src/schema/base/duration.ts";

const duration = durationSchema({ min: 60, max: 7200 });

test.each<[number | string, number]>([
  [60, 60],
  ["60", 60],
  ["90s", 90],
  ["30m", 1800],
  ["2h", 7200],
])("%j is %i seconds", (written, seconds) => {
  expect(duration.parse(written)).toBe(seconds);
});

test.each([
  59,
  "59s",
  7201,
  "3h",
  90.5,
  "1.5m",
  "-60",
  "",
  "2 h",
  "2d",
  "h",
  null,
  true,
  Number.NaN,
])("%j is refused with the range and the way to write it", (written) => {
  expect(duration.safeParse(written).error?.issues[0]?.message).toMatch(
    /from 60 to 7200 seconds: whole seconds, or text such as "90s"/,
  );
});
