import { expect, test } from "vitest";
import { journalOf, nameDevice } from "../../../src/platform/fs/sync-files.ts";

test.each([
  [0x0801, "8:1"],
  [65024, "254:0"],
  [0xfd03, "253:3"],
  // More than eight bits of minor number, then of major number.
  [0x100800 + 5, "8:261"],
  [0x1fff00, "4095:256"],
])("the device %i is %s", (device, name) => {
  expect(nameDevice(device)).toBe(name);
});

test("what has no device of its own, or is not there, has no journal we know of", () => {
  expect(journalOf("/proc")).toBeUndefined();
  expect(journalOf("/not/there")).toBeUndefined();
});
