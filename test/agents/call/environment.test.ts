import { describe, expect, test } from "vitest";
import { type AgentEnvironment, agentEnvironment } from "../../../src/agents/call/environment.ts";
import { claude } from "../../../src/agents/drivers/claude.ts";
import { RalphError } from "../../../src/error.ts";

const identity = {
  role: "review",
  taskId: "T-002",
  attempt: 3,
  sessionDir: "/repo/.ralph-session",
} as const;
const wanted = (more: Partial<AgentEnvironment> = {}): AgentEnvironment => ({
  names: [],
  credentials: [],
  driver: {},
  identity,
  ...more,
});
const ours = {
  RALPH_ROLE: "review",
  RALPH_TASK_ID: "T-002",
  RALPH_ATTEMPT: "3",
  RALPH_SESSION_DIR: "/repo/.ralph-session",
};

/** Everything a runner or a user may hold that no agent needs. */
const hostile = [
  "GITHUB_TOKEN",
  "GH_TOKEN",
  "NPM_TOKEN",
  "ACTIONS_RUNTIME_TOKEN",
  "ACTIONS_ID_TOKEN_REQUEST_URL",
  "ACTIONS_CACHE_URL",
  "GITHUB_ENV",
  "GITHUB_OUTPUT",
  "GITHUB_PATH",
  "GITHUB_STATE",
  "GITHUB_STEP_SUMMARY",
  "RUNNER_TRACKING_ID",
  "NODE_OPTIONS",
  "BASH_ENV",
  "LD_PRELOAD",
  "LD_LIBRARY_PATH",
  "DYLD_INSERT_LIBRARIES",
  "GIT_DIR",
  "GIT_SSH_COMMAND",
  "RALPH_ROLE",
];
const others = ["AWS_SECRET_ACCESS_KEY", "OPENAI_API_KEY", "DATABASE_URL", "GITHUB_REPOSITORY"];
const valued = (names: readonly string[]) =>
  Object.fromEntries(names.map((name) => [name, `value of ${name}`]));

test("an agent sees the plain variables, who it is, and nothing else", () => {
  const plain = { PATH: "/bin", HOME: "/home/a", LC_ALL: "C", LC_TIME: "C", TZ: "UTC", CI: "true" };
  const given = {
    ...plain,
    ...valued([...hostile, ...others, ...(claude.credentials[0]?.names ?? [])]),
  };
  expect(agentEnvironment(given, wanted())).toEqual({ ...plain, ...ours });
});

test("empty variables count as unset", () => {
  expect(agentEnvironment({ LANG: "" }, wanted({ names: ["EXTRA"] }))).toEqual(ours);
});

test("the user's names and the driver's variables are added", () => {
  const env = agentEnvironment(
    { OPENAI_API_KEY: "k", MAX_THINKING_TOKENS: "5" },
    wanted({ names: ["OPENAI_API_KEY", "MAX_THINKING_TOKENS"], driver: { IS_SANDBOX: "1" } }),
  );
  expect(env).toEqual({
    ...ours,
    OPENAI_API_KEY: "k",
    MAX_THINKING_TOKENS: "5",
    IS_SANDBOX: "1",
  });
});

test("nothing given can replace who the agent is", () => {
  const env = agentEnvironment({ RALPH_ROLE: "implementation" }, wanted());
  expect(env.RALPH_ROLE).toBe("review");
});

describe("a model credential", () => {
  const credentials = claude.credentials;

  test("is passed when the driver declares it", () => {
    const given = { ANTHROPIC_API_KEY: "k", CLAUDE_CODE_OAUTH_TOKEN: "t", GITHUB_TOKEN: "g" };
    const env = agentEnvironment(given, wanted({ credentials }));
    expect(env).toEqual({ ...ours, ANTHROPIC_API_KEY: "k", CLAUDE_CODE_OAUTH_TOKEN: "t" });
  });

  test("of a cloud is passed only while that cloud is in use", () => {
    const given = { AWS_ACCESS_KEY_ID: "a", AWS_SESSION_TOKEN: "s" };
    expect(agentEnvironment(given, wanted({ credentials }))).toEqual(ours);
    const bedrock = { ...given, CLAUDE_CODE_USE_BEDROCK: "1" };
    expect(agentEnvironment(bedrock, wanted({ credentials }))).toEqual({ ...ours, ...bedrock });
  });

  test.each(["CLAUDE_CODE_OAUTH_TOKEN", "AWS_SESSION_TOKEN"])(
    "%s may be named by the user for any driver",
    (name) => {
      expect(agentEnvironment({ [name]: "t" }, wanted({ names: [name] }))).toMatchObject({
        [name]: "t",
      });
    },
  );
});

test.each(hostile)("%s is refused even when the user names it", (name) => {
  const act = () => agentEnvironment({ [name]: "x" }, wanted({ names: ["FINE", name] }));
  expect(act).toThrow(RalphError);
  expect(act).toThrow(`\`agents.env\` names ${name}`);
});
