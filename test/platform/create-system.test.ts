import { expect, test } from "vitest";
import { createSystem } from "../../src/platform/create-system.ts";

test("random digits have the asked length and do not repeat", () => {
  const { randomHex } = createSystem();
  expect(randomHex(16)).toMatch(/^[0-9a-f]{32}$/);
  expect(randomHex(16)).not.toBe(randomHex(16));
});

test("the environment is that of the start and cannot be changed", () => {
  const { env } = createSystem();
  expect(env.PATH).toBe(process.env.PATH);
  expect(() => Object.assign(env, { PATH: "changed" })).toThrow(TypeError);
});
