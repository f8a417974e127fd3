import { createClaudeReader } from "./claude-stream.ts";
import type { AgentCall, Driver } from "./driver.ts";

/** What a read-only role may use when the configuration lists nothing (compatibility 1.8). */
const readingTools = ["Read", "Glob", "LS", "Grep"];
const writingTools = ["Bash", "Edit", "Write", "NotebookEdit"];

/** The claude program in print mode, its prompt on stdin, its events as JSON lines (recipes 4). */
export const claude: Driver = {
  name: "claude",
  program: "claude",
  programVariable: "RALPH_CLAUDE_CMD",
  streams: true,
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
  command: (call) => {
    const [file, ...args] = call.program;
    return { file, args: [...args, ...options(call)] };
  },
  env: () => ({
    // Permission prompts can only be skipped as root, which CI containers are, when this is set.
    IS_SANDBOX: "1",
    // Its own back-off waits up to three minutes per call; ours is journaled and counts for the breaker.
    CLAUDE_CODE_MAX_RETRIES: "2",
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
    DISABLE_TELEMETRY: "1",
    DISABLE_ERROR_REPORTING: "1",
    DISABLE_AUTOUPDATER: "1",
  }),
  createReader: createClaudeReader,
};

function options(call: AgentCall): string[] {
  return [
    "--print",
    "--output-format",
    "stream-json",
    "--verbose",
    ...(call.model === undefined ? [] : ["--model", call.model]),
    ...permissions(call),
  ];
}

/**
 * A list of tools and skipped permission prompts exclude each other: together the list would restrict nothing.
 * In print mode a tool that is not listed is denied.
 */
function permissions({ allowedTools, readOnly }: AgentCall): string[] {
  if (!readOnly && allowedTools.length === 0) return ["--dangerously-skip-permissions"];
  const tools = allowedTools.length > 0 ? allowedTools : readingTools;
  const list = ["--allowedTools", tools.join(",")];
  return readOnly ? [...list, "--disallowedTools", unlisted(tools).join(",")] : list;
}

/** Settings of the repository or the user could allow these to a reader; a reader is not even offered them. */
function unlisted(tools: readonly string[]): string[] {
  return writingTools.filter((tool) => !tools.some((listed) => listed.split("(")[0] === tool));
}
