import type { Environment } from "../../platform/system.ts";
import { createClaudeReader } from "./claude-stream.ts";
import type { AgentCall, Driver } from "./driver.ts";
import { remediesFor, startWith } from "./program.ts";

/** The tools of a read-only role when the configuration lists none (compatibility 1.8). */
const readingTools = ["Read", "Glob", "LS", "Grep"];
/** Gates run the tests, so no shell is needed (compatibility 1.8). */
const testWriterTools = [...readingTools, "Edit", "Write"];
const writingTools = ["Bash", "Edit", "Write", "NotebookEdit"];

const remedies = remediesFor({
  login:
    "Set ANTHROPIC_API_KEY or CLAUDE_CODE_OAUTH_TOKEN to a valid value, or log in with `claude /login`.",
  newer: "Install a newer Claude Code (`npm install --global @anthropic-ai/claude-code@latest`)",
});

/** The claude program in print mode, its prompt on stdin, its events as JSON lines (recipes 4). */
export const claude: Driver = {
  name: "claude",
  program: "claude",
  programVariable: "RALPH_CLAUDE_CMD",
  version: ["--version"],
  home: ".claude",
  projectFiles: ["CLAUDE.md", "CLAUDE.local.md", ".mcp.json"],
  login: { file: ".credentials.json", variable: "CLAUDE_CONFIG_DIR" },
  npm: {
    name: "@anthropic-ai/claude-code",
    // It puts the program for this platform in its place.
    script: "node_modules/@anthropic-ai/claude-code/install.cjs",
  },
  streams: true,
  reportsCost: true,
  remedy:
    "Install Claude Code (`npm install --global @anthropic-ai/claude-code`), or name another program in `agents.<role>.command` of .ralph/ralph.yml.",
  credentials: [
    {
      names: [
        "ANTHROPIC_API_KEY",
        "ANTHROPIC_AUTH_TOKEN",
        "ANTHROPIC_BASE_URL",
        "CLAUDE_CODE_OAUTH_TOKEN",
        "CLAUDE_CONFIG_DIR",
        "CLAUDE_CODE_USE_BEDROCK",
        "CLAUDE_CODE_USE_VERTEX",
      ],
    },
    {
      when: "CLAUDE_CODE_USE_BEDROCK",
      names: [
        "AWS_REGION",
        "AWS_PROFILE",
        "AWS_ACCESS_KEY_ID",
        "AWS_SECRET_ACCESS_KEY",
        "AWS_SESSION_TOKEN",
        "AWS_BEARER_TOKEN_BEDROCK",
      ],
    },
    {
      when: "CLAUDE_CODE_USE_VERTEX",
      names: ["ANTHROPIC_VERTEX_PROJECT_ID", "CLOUD_ML_REGION", "GOOGLE_APPLICATION_CREDENTIALS"],
    },
  ],
  provider: {
    url: "https://api.anthropic.com",
    addressVariable: "ANTHROPIC_BASE_URL",
    keys: ["ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN"],
    hosts,
  },
  command: startWith(options),
  env: () => ({
    // As root, as in CI containers, permission prompts can be skipped only when this is set.
    IS_SANDBOX: "1",
    // Its own back-off waits up to three minutes per call; ralph's is journaled and counts for the circuit breaker.
    CLAUDE_CODE_MAX_RETRIES: "2",
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
    DISABLE_TELEMETRY: "1",
    DISABLE_ERROR_REPORTING: "1",
    DISABLE_AUTOUPDATER: "1",
  }),
  createReader: () => createClaudeReader(remedies),
};

/** A cloud's own hosts, or those that refresh a login. */
function hosts(env: Environment): string[] {
  if (env.CLAUDE_CODE_USE_BEDROCK) {
    const region = env.AWS_REGION || "us-east-1";
    return ["bedrock", "bedrock-runtime", "sts"].map((name) => `${name}.${region}.amazonaws.com`);
  }
  if (env.CLAUDE_CODE_USE_VERTEX) {
    const region = env.CLOUD_ML_REGION || "us-east5";
    const names = ["aiplatform", `${region}-aiplatform`, "oauth2", "sts"];
    return names.map((name) => `${name}.googleapis.com`);
  }
  const hasKey = env.ANTHROPIC_API_KEY || env.ANTHROPIC_AUTH_TOKEN;
  return hasKey ? [] : ["console.anthropic.com", "platform.claude.com"];
}

function options(call: AgentCall): string[] {
  return [
    ...["--print", "--output-format", "stream-json", "--verbose"],
    ...(call.model === undefined ? [] : ["--model", call.model]),
    ...permissions(call),
  ];
}

/** Skipping permission prompts would make a tool list useless. In print mode a tool that is not listed is denied. */
function permissions({ role, allowedTools: named, readOnly }: AgentCall): string[] {
  const byDefault = role === "test_writing" ? testWriterTools : [];
  const allowedTools = named.length > 0 ? named : byDefault;
  if (readOnly) return readerOptions(named.length > 0 ? named : readingTools);
  if (allowedTools.length === 0) return ["--dangerously-skip-permissions"];
  return ["--allowedTools", allowedTools.join(",")];
}

/** Settings and MCP servers could allow a read-only role more than its list, so it is offered only these tools. */
function readerOptions(tools: readonly string[]): string[] {
  const names = [...new Set(tools.map((tool) => tool.replace(/\(.*$/s, "")))];
  const forbidden = writingTools.filter((tool) => !names.includes(tool));
  return [
    ...["--tools", names.join(",")],
    ...["--allowedTools", tools.join(",")],
    ...(forbidden.length > 0 ? ["--disallowedTools", forbidden.join(",")] : []),
    ...["--permission-mode", "dontAsk", "--strict-mcp-config"],
    ...["--setting-sources", ""],
  ];
}
