import { expect, test } from "vitest";
import { gateKeyOf } from "../../src/gates/gates.ts";

const gate = { cmd: "npm test", when: "package.json", timeout_seconds: 300 };

test("what decides the result decides the key, and nothing else does", () => {
  const named = { ...gate, name: "tests", fatal: true };
  expect(gateKeyOf(named)).toBe(gateKeyOf(gate));
  expect(gateKeyOf(gate)).toMatch(/^[0-9a-f]{64}$/);
  const variants = [
    { ...gate, cmd: "npm test " },
    { ...gate, when: undefined },
    { ...gate, when: "" },
    { ...gate, timeout_seconds: 301 },
  ];
  expect(new Set([gate, ...variants].map(gateKeyOf)).size).toBe(5);
});
