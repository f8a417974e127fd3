import { expect, test } from "vitest";
import { privateEnvironment, userEnvironment } from "../../../src/git/repository/environment.ts";
import {
  parseConfigList,
  readIdentity,
  renderPrivateConfig,
} from "../../../src/git/repository/private-config.ts";
import { createGitProject } from "../../support/project/git.ts";

const options = { excludesFile: "/p/excludes", attributesFile: "/p/a", hasFsyncComponents: true };

test("only the copied keys reach the private configuration", () => {
  const hostile = {
    "core.fsmonitor": "evil",
    "core.hookspath": "evil",
    "core.sshcommand": "evil",
    "core.worktree": "evil",
    "filter.lfs.clean": "evil",
    "url.evil.insteadof": "https://",
    "alias.status": "!evil",
    "include.path": "evil",
    "extensions.worktreeconfig": "evil",
    "diff.x.textconv": "evil",
  };
  const text = renderPrivateConfig(new Map(Object.entries(hostile)), options);
  expect(text).not.toContain("evil");
  expect(text).toContain('hookspath = "/dev/null"');
  expect(text).toContain('fsmonitor = "false"');
});

test("extensions make it format version 1", () => {
  const config = parseConfigList("extensions.objectformat\nsha256\0core.filemode\0");
  const text = renderPrivateConfig(config, options);
  expect(text).toContain('[core]\n\trepositoryformatversion = "1"');
  expect(text).toContain('[core]\n\tfilemode = "true"');
  expect(text).toContain('objectformat = "sha256"');
});

test("the last value of a key counts, and a name is taken as it is", () => {
  const config = parseConfigList('user.name\nOld\0user.name\nA "B" \\ C\0user.email\n\0');
  expect(readIdentity(config)).toEqual({ name: 'A "B" \\ C' });
});

test("git reads back the values that were written", async () => {
  await using project = await createGitProject();
  const name = 'A "B" \\ C # ; \n D';
  project.write("out", renderPrivateConfig(new Map([["user.name", name]]), options));
  expect(project.git("config", "--file", "out", "user.name")).toBe(name);
});

test("git before 2.36 syncs each object", () => {
  const text = renderPrivateConfig(new Map(), { ...options, hasFsyncComponents: false });
  expect(text).toContain('fsyncobjectfiles = "true"');
  expect(text).not.toContain("fsyncmethod");
});

const fixed = { path: "/bin", privateDir: "/p", worktree: "/w" };

test.each([
  [{ name: "Ada", email: "ada@example.org" }, "Ada", "ada@example.org"],
  [{}, "ralph", "ralph@users.noreply.github.com"],
  [{ name: " ", email: "" }, "ralph", "ralph@users.noreply.github.com"],
])("author and committer of %j", (identity, name, email) => {
  const env = privateEnvironment({ ...fixed, identity });
  expect(env.GIT_AUTHOR_NAME).toBe(name);
  expect(env.GIT_COMMITTER_NAME).toBe(name);
  expect(env.GIT_AUTHOR_EMAIL).toBe(email);
  expect(env.GIT_COMMITTER_EMAIL).toBe(email);
});

test("variables that point git elsewhere are dropped, those of configuration stay", () => {
  const env = userEnvironment({
    HOME: "/h",
    GIT_DIR: "/x",
    GIT_INDEX_FILE: "/x",
    GIT_CONFIG_GLOBAL: "/g",
  });
  expect(env).toMatchObject({ HOME: "/h", GIT_CONFIG_GLOBAL: "/g", LC_ALL: "C" });
  expect(env).not.toHaveProperty("GIT_DIR");
  expect(env).not.toHaveProperty("GIT_INDEX_FILE");
});
