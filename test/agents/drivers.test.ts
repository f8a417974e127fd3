import { expect, test } from "vitest";
import { driverNamed, drivers } from "../../src/agents/drivers.ts";
import { RalphError } from "../../src/error.ts";

test("every driver is found by its own name", () => {
  expect(drivers.map(({ name }) => driverNamed(name))).toEqual(drivers);
});

test("an unknown name is refused with the names there are", () => {
  expect(() => driverNamed("nobody")).toThrow(RalphError);
  expect(() => driverNamed("nobody")).toThrow('"nobody"');
});
