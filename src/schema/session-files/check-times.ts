import { errorAt, type Finding } from "../base/finding.ts";

/** Checks times that must be in the given order (specs 004 8.3). A finding for each that is too early. */
export function checkTimes(
  path: readonly PropertyKey[],
  times: Readonly<Record<string, string | undefined>>,
): Finding[] {
  const given = Object.entries(times).flatMap(([key, time]) =>
    time === undefined ? [] : [{ key, time }],
  );
  return given.flatMap(({ key, time }, index) => {
    const before = given[index - 1];
    if (!before || Date.parse(time) >= Date.parse(before.time)) return [];
    return [errorAt([...path, key], `is earlier than ${before.key}, which is ${before.time}`)];
  });
}
