import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { task } from "../../support/builders/session.ts";
import { createProject } from "../../support/project/project.ts";

const count = `echo x >>"$HOME/count"; mkdir -p deps; echo x >deps/a`;

test("setup runs once, before the first agent; what it installs and git ignores stays", async () => {
  const setup = [{ name: "install", cmd: count }];
  const files = { ".gitignore": "deps/\n" };
  const gates = { installed: "test -e deps/a" };
  const tasks = [task("T-001"), task("T-002")];
  await using project = await createProject({ tasks, config: { setup }, files, gates });
  const { exitCode, events } = await project.run();
  expect(exitCode).toBe(0);
  expect(project.read("../home/count")).toBe("x\n");
  const types = events.map(({ type }) => type);
  expect(types.indexOf("setup_end")).toBeLessThan(types.indexOf("agent_start"));
});

test("what setup changes in files git sees is undone", async () => {
  const setup = [{ name: "install", cmd: `${count}; echo x >>a.txt` }];
  await using project = await createProject({ tasks: [task("T-001")], config: { setup } });
  const { exitCode } = await project.run();
  expect(exitCode).toBe(0);
  expect(project.git("show", "HEAD:a.txt")).toBe("a");
  expect(existsSync(join(project.root, "deps"))).toBe(false);
});

test("a setup step that fails is exit 1, before any agent is called", async () => {
  const setup = [
    { name: "install", cmd: "echo no network >&2; exit 3" },
    { name: "more", cmd: count },
  ];
  await using project = await createProject({ config: { setup } });
  const { exitCode, state, facts } = await project.run();
  expect(exitCode).toBe(1);
  expect(state.end?.message).toContain('Setup step "install" failed');
  expect(facts("agent_start")).toEqual([]);
  expect(facts("setup_end")).toHaveLength(1);
  expect(project.evidence(facts("setup_end")[0]?.output)).toContain("no network");
});

test("with nothing to do there is nothing to set up", async () => {
  const setup = [{ name: "install", cmd: count }];
  const tasks = [task("T-001", { passes: true })];
  await using project = await createProject({ tasks, config: { setup } });
  const { exitCode, facts } = await project.run();
  expect(exitCode).toBe(0);
  expect(facts("setup_end")).toEqual([]);
});
