import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { judgeProbe, probeSandbox } from "../../src/sandbox/self-test.ts";
import { createSandboxSetting, hasBubblewrap } from "../support/project/sandbox.ts";
import { createTestSystem } from "../support/project/system.ts";

const good = { exitCode: 0, stdout: "init bwrap\nrights 1\nworktree writable\n", stderr: "" };

test.for([
  [good, undefined],
  [{ ...good, exitCode: 127 }, "bubblewrap (`bwrap`) is not installed"],
  [
    { exitCode: 1, stdout: "", stderr: "bwrap: No permissions to create new namespace\nmore\n" },
    "bubblewrap cannot start here: bwrap: No permissions to create new namespace",
  ],
  [{ exitCode: 1, stdout: "", stderr: "" }, "bubblewrap cannot start here: no reason given"],
  [
    { ...good, stdout: "init systemd\nrights 1\nworktree writable\n" },
    "processes of the machine can be seen",
  ],
  [
    { ...good, stdout: "init bwrap\nrights 0\nworktree writable\n" },
    "programs could gain rights (no_new_privs is off)",
  ],
  [{ ...good, stdout: "init bwrap\nrights 1\n" }, "the work tree cannot be written"],
  [{ ...good, stdout: `${good.stdout}open /w/.git\n` }, "/w/.git can be written"],
  [{ ...good, stdout: `${good.stdout}seen /state\n` }, "/state can be read"],
] as const)("%j: %s", ([answer, reason]) => {
  expect(judgeProbe(answer)).toEqual(reason ? { kind: "broken", reason } : { kind: "works" });
});

test("a machine without bubblewrap is reported as such", async () => {
  await using system = await createTestSystem({ env: { PATH: "/nonexistent" } });
  await using setting = await createSandboxSetting();
  expect(await probeSandbox(system, setting.profile)).toEqual({
    kind: "broken",
    reason: "bubblewrap (`bwrap`) is not installed",
  });
});

describe.skipIf(!hasBubblewrap)("with bubblewrap", () => {
  test("the real profile holds", async () => {
    await using system = await createTestSystem();
    await using setting = await createSandboxSetting();
    expect(await probeSandbox(system, setting.profile)).toEqual({ kind: "works" });
  });

  test("a folder that is hidden holds nothing but the way to what lies in it", async () => {
    await using system = await createTestSystem();
    await using setting = await createSandboxSetting();
    const { profile, state } = setting;
    const [worktree, inner] = [join(state, "a/clone"), join(state, "inner/store")];
    for (const folder of [worktree, inner, join(state, "secret")]) {
      await mkdir(folder, { recursive: true });
    }
    const nested = { ...profile, worktree, readOnly: [], hiddenFolders: [state, inner] };
    expect(await probeSandbox(system, nested)).toEqual({ kind: "works" });
    const open = { ...nested, writable: [`${state}/../state/secret`] };
    expect(await probeSandbox(system, open)).toMatchObject({ kind: "broken" });
  });

  test.for([
    [
      "an open .git",
      (tree: string) => ({ writable: [`${tree}/./.git`] }),
      "/work/.git can be written",
    ],
    [
      "a visible state",
      (tree: string) => ({ writable: [`${tree}/../state/seen`] }),
      "/state can be read",
    ],
    [
      "a closed work tree",
      (tree: string) => ({ readOnly: [tree] }),
      "the work tree cannot be written",
    ],
  ] as const)("%s is found", async ([, change, reason]) => {
    await using system = await createTestSystem();
    await using setting = await createSandboxSetting();
    await mkdir(join(setting.state, "seen"));
    // The detours in the paths make the mounts come last, as a mistake in the profile might.
    const profile = { ...setting.profile, ...change(setting.worktree) };
    const probe = await probeSandbox(system, profile);
    expect(probe).toMatchObject({ kind: "broken", reason: expect.stringContaining(reason) });
  });
});
