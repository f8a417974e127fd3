import { createCodexReader } from "./codex-stream.ts";
import type { AgentCall, Driver } from "./driver.ts";
import { remediesFor, startWith } from "./program.ts";

const remedies = remediesFor({
  login: "Set OPENAI_API_KEY to a valid key, or log in with `codex login`.",
  newer: "Install a newer Codex (`npm install --global @openai/codex@latest`)",
});

/** The codex program without a terminal, its prompt on stdin, its events as JSON lines. */
export const codex: Driver = {
  name: "codex",
  program: "codex",
  programVariable: "RALPH_CODEX_CMD",
  version: ["--version"],
  home: ".codex",
  projectFiles: ["AGENTS.md", "AGENTS.override.md"],
  login: { file: "auth.json", variable: "CODEX_HOME" },
  npm: { name: "@openai/codex" },
  streams: true,
  remedy:
    "Install Codex (`npm install --global @openai/codex`), or name another program in `agents.<role>.command` of .ralph/ralph.yml.",
  credentials: [{ names: ["CODEX_API_KEY", "OPENAI_API_KEY", "OPENAI_BASE_URL", "CODEX_HOME"] }],
  provider: {
    url: "https://api.openai.com/v1",
    addressVariable: "OPENAI_BASE_URL",
    keys: ["CODEX_API_KEY", "OPENAI_API_KEY"],
    hosts: (env) => (keys.some((name) => env[name]) ? [] : ["chatgpt.com", "auth.openai.com"]),
  },
  command: startWith(options),
  createReader: () => createCodexReader(remedies),
};

/** Codex accepts no tool list: a role can write or only read. Its own sandbox cannot always start inside ralph's. */
function options(call: AgentCall): string[] {
  return [
    ...["exec", "--json", "--skip-git-repo-check", "--color", "never"],
    ...["-c", "analytics.enabled=false"],
    // Settings and rules could allow a reader more than its sandbox.
    ...(call.readOnly ? ["--ignore-user-config", "--ignore-rules"] : []),
    ...provider(call),
    ...(call.model === undefined ? [] : ["--model", call.model]),
    ...(call.readOnly && !call.isSandboxed
      ? ["--sandbox", "read-only"]
      : ["--dangerously-bypass-approvals-and-sandbox"]),
    "-",
  ];
}

const keys = ["CODEX_API_KEY", "OPENAI_API_KEY"];
const ownProvider = /model_provider|^(?:--profile|-p|--oss|--local-provider)(?:=|$)/;

/**
 * With a key in the environment, defines a provider: the built-in one reads neither OPENAI_API_KEY nor OPENAI_BASE_URL
 * and retries up to 37 times, while ralph's back-off is journaled and counts for the circuit breaker. A login, or
 * arguments that choose a provider, are kept.
 */
function provider({ env = {}, program }: AgentCall): string[] {
  const key = keys.find((name) => env[name]);
  if (key === undefined || program.some((word) => ownProvider.test(word))) return [];
  const settings = {
    name: "OpenAI",
    base_url: env.OPENAI_BASE_URL ?? "https://api.openai.com/v1",
    wire_api: "responses",
    env_key: key,
    request_max_retries: 2,
    stream_max_retries: 2,
  };
  // A JSON string is a TOML string.
  const table = Object.entries(settings).map(([name, value]) => `${name}=${JSON.stringify(value)}`);
  return [
    ...["-c", 'model_provider="ralph"'],
    ...["-c", `model_providers.ralph={${table.join(",")}}`],
  ];
}
