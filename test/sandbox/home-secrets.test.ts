import { expect, test } from "vitest";
import { listHomeSecrets } from "../../src/sandbox/home-secrets.ts";

test("keys and logins of other programs are listed, an agent's own login is not", () => {
  const secrets = listHomeSecrets("/home/me");
  expect(secrets).toContain("/home/me/.ssh");
  expect(secrets).toContain("/home/me/.git-credentials");
  expect(secrets.every((path) => path.startsWith("/home/me/."))).toBe(true);
  expect(secrets.filter((path) => /claude|codex/.test(path))).toEqual([]);
});
