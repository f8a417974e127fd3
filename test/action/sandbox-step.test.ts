import { spawnSync } from "node:child_process";
import { chmodSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { createTestFolder } from "../support/project/system.ts";

type Job = { steps?: { name?: string; run?: string }[] };

/** What the jobs of the reusable workflows do to have a sandbox. */
const scripts = ["ralph", "autopilot"].flatMap((name) => {
  const { jobs } = parse(readFileSync(`.github/workflows/${name}.yml`, "utf8"));
  const steps = Object.values(jobs as Record<string, Job>).flatMap((job) => job.steps ?? []);
  return steps.filter((step) => step.name === "Sandbox").map(({ run = "" }) => run);
});

/** Runs it as a runner does, on a machine with these programs only. */
async function run(programs: Record<string, string>) {
  await using folder = await createTestFolder();
  for (const [name, script] of Object.entries(programs)) {
    writeFileSync(join(folder.path, name), `#!/bin/sh\n${script}\n`);
    chmodSync(join(folder.path, name), 0o755);
  }
  const args = ["--noprofile", "--norc", "-e", "-o", "pipefail", "-c", scripts[0] ?? ""];
  return spawnSync("/bin/bash", args, { env: { PATH: folder.path }, encoding: "utf8" });
}

test("every job prepares the sandbox in the same way", () => {
  expect(scripts).toHaveLength(4);
  expect(new Set(scripts).size).toBe(1);
});

test.each([
  ["no sudo, as in a container", { "apt-get": "exit 0" }],
  ["a sudo that asks for a password", { "apt-get": "exit 0", sudo: "exit 1" }],
  ["another system than Debian", { sudo: "exit 0" }],
])("a runner without bubblewrap and with %s is named with what to change", async (_, programs) => {
  const { status, stdout } = await run(programs);
  expect(status).toBe(1);
  expect(stdout).toMatch(
    /^::error title=ralph::.*Install bubblewrap on it, or set the input runs-on/,
  );
});

test("a runner that has bubblewrap needs no sudo, and GitHub's own installs it", async () => {
  expect(await run({ bwrap: "exit 0" })).toMatchObject({ status: 0, stdout: "" });
  const sudo = 'echo "$@"';
  const { status, stdout } = await run({ "apt-get": "exit 0", sudo, sysctl: "echo 1" });
  expect(status).toBe(0);
  expect(stdout).toContain("apt-get install -y -qq bubblewrap");
  expect(stdout).toContain("sysctl -q -w kernel.apparmor_restrict_unprivileged_userns=0");
});
