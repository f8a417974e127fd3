import { expect, test } from "vitest";
import { requirePlannerKey } from "../../../src/action/checks/require-keys.ts";
import type { Environment } from "../../../src/platform/system.ts";
import { configWith } from "../../support/builders/config.ts";

type Case = [title: string, more: { analysis?: object; agents?: object }, env: Environment];
const check = ({ analysis = {}, agents }: Case[1], env: Environment) =>
  requirePlannerKey(configWith({ autopilot: { analysis }, ...(agents && { agents }) }), env);

const accepted: Case[] = [
  ["any provider's key", {}, { OPENROUTER_API_KEY: "x" }],
  [
    "the key of the chosen provider",
    { analysis: { provider: "gateway" } },
    { AI_GATEWAY_API_KEY: "x" },
  ],
  ["a subscription, for the claude program", {}, { CLAUDE_CODE_OAUTH_TOKEN: "x" }],
  ["a program of the user's own", {}, { RALPH_CLAUDE_CMD: "my-claude" }],
];

test.each(accepted)("%s is enough for the analysis", (_, more, env) => {
  expect(() => check(more, env)).not.toThrow();
});

const refused: Case[] = [
  ["nothing at all", {}, {}],
  ["a key of another provider", { analysis: { provider: "openai" } }, { ANTHROPIC_API_KEY: "x" }],
  ["a key codex cannot use", { analysis: { provider: "claude_cli" } }, { OPENAI_API_KEY: "x" }],
];

test.each(refused)(
  "%s is refused before anything is spent, and the remedy names the inputs",
  (_, more, env) => {
    expect(() => check(more, env)).toThrow(
      expect.objectContaining({
        exitCode: 1,
        remedy: expect.stringContaining("`openrouter-api-key`, `ai-gateway-api-key`"),
      }),
    );
  },
);
