import { expect, test } from "vitest";
import { privateEnvironment, userEnvironment } from "../../../src/git/repository/environment.ts";

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
