import { expect, test } from "vitest";
import { newSessionId, newToken } from "../../src/loop/session-id.ts";
import { SessionId, SessionToken } from "../../src/model/identity.ts";
import { createTestSystem } from "../support/system.ts";

test("an id is the time in UTC and random digits; its token extends it by 128 bits", async () => {
  await using system = await createTestSystem();
  const id = newSessionId(system);
  const token = newToken(id, system);
  expect(id).toBe("20260125-143052-ababab");
  expect(token).toBe(`ralph-20260125-143052-ababab${"ac".repeat(16)}`);
  expect(SessionId.parse(id)).toBe(id);
  expect(SessionToken.parse(token)).toBe(token);
});
