import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { withIdentity } from "../../../src/action/job/open-work.ts";
import { openRepository } from "../../../src/git/open/open-repository.ts";
import type { Environment } from "../../../src/platform/system.ts";
import { createGitProject, type GitProject } from "../../support/project/git.ts";

const bot = "github-actions[bot] <41898282+github-actions[bot]@users.noreply.github.com>";

/** Whose commits git makes of a session in this project. */
async function identityIn(project: GitProject, given: Environment = {}): Promise<string> {
  const system = { ...project.system, env: { ...project.system.env, ...given } };
  const known = await withIdentity(system, project.root);
  const place = { directory: project.root, stateDir: project.stateDir };
  const repo = await openRepository(known, place);
  return `${repo.env.GIT_AUTHOR_NAME} <${repo.env.GIT_AUTHOR_EMAIL}>`;
}

const forget = ({ folder }: GitProject, text = "") =>
  writeFileSync(join(folder, "home/.gitconfig"), text);

test("an identity the workflow configures is kept", async () => {
  await using project = await createGitProject();
  expect(await identityIn(project)).toBe("Ada <ada@example.org>");
});

test("without an identity, GitHub's own bot commits", async () => {
  await using project = await createGitProject();
  forget(project);
  expect(await identityIn(project)).toBe(bot);
});

test("half an identity is replaced as a whole, so that no name gets another person's address", async () => {
  await using project = await createGitProject();
  forget(project, "[user]\n\tname = Ada\n");
  expect(await identityIn(project)).toBe(bot);
});

test("earlier settings from the environment are kept", async () => {
  await using project = await createGitProject();
  forget(project);
  const given = {
    GIT_CONFIG_COUNT: "1",
    GIT_CONFIG_KEY_0: "safe.directory",
    GIT_CONFIG_VALUE_0: "*",
  };
  expect(await identityIn(project, given)).toBe(bot);
  const { env } = await withIdentity(
    { ...project.system, env: { ...project.system.env, ...given } },
    project.root,
  );
  expect(env).toMatchObject({ ...given, GIT_CONFIG_COUNT: "3" });
});
