import { describe, expect, test } from "vitest";
import { requireKeys } from "../../../src/action/checks/require-keys.ts";
import type { Config } from "../../../src/schema/config/config.ts";

type Role = { driver: string; command?: string; args?: string[] };
const roles = (one: Role, review = one) =>
  ({
    agents: { implementation: { args: [], ...one }, test_writing: one, review },
  }) as unknown as Config;
const role = (driver: string, more: object = {}) => ({ driver, args: [], ...more });
const claude = roles(role("claude"));

describe("an agent program ralph starts", () => {
  test("without a credential is refused, and the remedy names the inputs", () => {
    expect(() => requireKeys(claude, {})).toThrow("There is no model key for claude.");
    expect(remedyOf(claude)).toContain("`anthropic-api-key` or `claude-code-oauth-token`");
    expect(remedyOf(roles(role("codex")))).toContain("`openai-api-key`");
  });

  test.each(["ANTHROPIC_API_KEY", "CLAUDE_CODE_OAUTH_TOKEN"])("is accepted with %s", (name) => {
    expect(() => requireKeys(claude, { [name]: "x" })).not.toThrow();
  });

  test("is refused with another program's key, or an empty one", () => {
    expect(() => requireKeys(claude, { OPENAI_API_KEY: "x" })).toThrow(/for claude/);
    expect(() => requireKeys(claude, { ANTHROPIC_API_KEY: "" })).toThrow(/for claude/);
  });

  test("is named with all others that lack a key", () => {
    expect(() => requireKeys(roles(role("claude"), role("codex")), {})).toThrow(
      "There is no model key for claude and codex.",
    );
  });
});

test("a program the user names brings its own credential", () => {
  expect(() => requireKeys(roles(role("command", { command: "x" })), {})).not.toThrow();
  expect(() => requireKeys(claude, { RALPH_CLAUDE_CMD: "my-claude" })).not.toThrow();
});

function remedyOf(config: Config): string {
  try {
    requireKeys(config, {});
  } catch (error) {
    return (error as { remedy: string }).remedy;
  }
  return "";
}
