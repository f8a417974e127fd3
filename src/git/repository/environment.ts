import type { Environment } from "../../platform/system.ts";

/** The author and committer of ralph's commits. */
export type CommitIdentity = { name: string; email: string };

const anonymous: CommitIdentity = { name: "ralph", email: "ralph@users.noreply.github.com" };

/** The environment of all git commands: no outer configuration, transports, prompts or path patterns (T41, T42). */
export function privateEnvironment(options: {
  path: string | undefined;
  privateDir: string;
  worktree: string;
  identity: Partial<CommitIdentity>;
}): Environment {
  const name = options.identity.name?.trim() || anonymous.name;
  const email = options.identity.email?.trim() || anonymous.email;
  return {
    PATH: options.path,
    LC_ALL: "C",
    GIT_DIR: options.privateDir,
    GIT_WORK_TREE: options.worktree,
    GIT_CONFIG_GLOBAL: "/dev/null",
    GIT_CONFIG_NOSYSTEM: "1",
    GIT_ATTR_NOSYSTEM: "1",
    ...gitSettings({ "safe.bareRepository": "explicit" }),
    GIT_TERMINAL_PROMPT: "0",
    GIT_ALLOW_PROTOCOL: "",
    GIT_NO_LAZY_FETCH: "1",
    GIT_NO_REPLACE_OBJECTS: "1",
    GIT_LITERAL_PATHSPECS: "1",
    GIT_AUTHOR_NAME: name,
    GIT_AUTHOR_EMAIL: email,
    GIT_COMMITTER_NAME: name,
    GIT_COMMITTER_EMAIL: email,
  };
}

/** Settings of git as environment variables; `first`: how many the environment has already. */
export function gitSettings(settings: Readonly<Record<string, string>>, first = 0): Environment {
  const pairs = Object.entries(settings).flatMap(([key, value], index) => [
    [`GIT_CONFIG_KEY_${first + index}`, key],
    [`GIT_CONFIG_VALUE_${first + index}`, value],
  ]);
  const count = first + pairs.length / 2;
  return { ...Object.fromEntries(pairs), GIT_CONFIG_COUNT: String(count) };
}

/** The user's environment before any agent runs, without variables that point git elsewhere (as inside a hook). */
export function userEnvironment(env: Environment): Environment {
  const kept = Object.entries(env).filter(
    ([name]) => !name.startsWith("GIT_") || name.startsWith("GIT_CONFIG"),
  );
  return {
    ...Object.fromEntries(kept),
    LC_ALL: "C",
    GIT_OPTIONAL_LOCKS: "0",
    GIT_TERMINAL_PROMPT: "0",
  };
}
