import { expect, test } from "vitest";
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
