import { expect, test } from "vitest";
import { driverNamed, drivers } from "../../../src/agents/drivers/drivers.ts";
import { RalphError } from "../../../src/error.ts";
import { checkConfig } from "../../../src/schema/config/check-config.ts";

test("every driver is found by its own name", () => {
  expect(drivers.map(({ name }) => driverNamed(name))).toEqual(drivers);
});

test("an unknown name is refused with the names there are", () => {
  expect(() => driverNamed("nobody")).toThrow(RalphError);
  expect(() => driverNamed("nobody")).toThrow('"nobody"');
});

test.each(drivers)(
  "a list of tools that the driver $name does not hand on is warned of",
  (driver) => {
    const { name } = driver;
    const call = {
      role: "implementation",
      program: ["x"],
      model: undefined,
      timeoutMs: 1,
    } as const;
    const argsOf = (...allowedTools: string[]) =>
      driver.command({ ...call, readOnly: false, allowedTools }).args.join(" ");
    const { findings } = checkConfig({
      version: "1",
      task_source: { type: "prd_json", path: ".ralph/prd.json" },
      gates: { full: [{ name: "test", cmd: "true" }] },
      git: { base_branch: "main" },
      agents: { implementation: { driver: name, command: "x", allowed_tools: ["Read"] } },
    });
    const paths = findings.map(({ path }) => path.join("."));
    const isHandedOn = argsOf("Read") !== argsOf();
    expect(paths).toEqual(isHandedOn ? [] : ["agents.implementation.allowed_tools"]);
  },
);
