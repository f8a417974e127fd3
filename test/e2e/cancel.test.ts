import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { runsAll, sampled, thorough } from "../setup/sampled.ts";
import {
  cancel,
  createCancelTemplate,
  kill,
  resumeFaults,
  scenes,
  setScene,
  startScene,
  survivors,
} from "../support/crash/cancelled-run.ts";
import type { CrashTemplate } from "../support/crash/project.ts";

let template: CrashTemplate;
beforeAll(async () => {
  template = await createCancelTemplate();
});
afterAll(() => template[Symbol.asyncDispose]());

test.each(sampled(scenes, 2))(
  "a signal during `%s` ends the session within 2 s, honestly and without survivors (F24, F26)",
  async (scene) => {
    using project = template.copy(scene);
    const signal = scene === "hang" ? "SIGTERM" : "SIGINT";
    const times = scene === "deaf" ? 3 : 1;
    expect(await cancel(project, { scene, signal, delayMs: 100, times })).toEqual([]);
    if (scene === "grandchild") expect(await resumeFaults(project)).toEqual([]);
  },
);

thorough(
  "an agent that outlives a killed session is ended before its work is kept (F26)",
  async () => {
    using project = template.copy("orphan");
    await kill(project, "grandchild");
    expect(survivors(project.root)).not.toEqual([]);
    expect(await resumeFaults(project)).toEqual([]);
    expect(survivors(project.root)).toEqual([]);
  },
);

const olderNode = ["/usr/bin/node", "/usr/local/bin/node"].find((file) => {
  const { stdout } = spawnSync(file, ["--version"], { encoding: "utf8" });
  return /^v(?:1\d|2[0-3])\./.test(stdout ?? "");
});

test.runIf(!(olderNode === undefined) && runsAll)(
  "a session that an older Node has started ends when that one is killed",
  async () => {
    using project = template.copy("older");
    const starter = await startScene(project, "hang", olderNode);
    expect(survivors(project.root).length).toBeGreaterThan(1);
    starter.kill("SIGKILL");
    await expect.poll(() => survivors(project.root)).toEqual([]);
    expect(await resumeFaults(project)).toEqual([]);
  },
);

thorough(
  "a session out of time ends with exit 22, its passed tasks committed, and is resumed",
  async () => {
    using project = template.copy("deadline");
    setScene(project, "slow");
    const readTasks = (): { passes: boolean }[] =>
      JSON.parse(readFileSync(join(project.root, ".ralph/prd.json"), "utf8")).tasks;
    let { code, output } = await project.ralph(["run", "--max-runtime", "4s"]);
    // On a busy machine the first task takes longer.
    while (code === 22 && !readTasks()[0]?.passes)
      ({ code, output } = await project.ralph(["run", "--resume", "--max-runtime", "40s"]));
    expect(code, output).toBe(22);
    expect(output).toContain("Out of time");
    expect(await project.git("log", "--format=%s", "-1")).toBe("feat(T-001): Write T-001");
    expect(await project.git("status", "--porcelain")).toBe("");
    expect(readTasks().map(({ passes }) => passes)).toEqual([true, false, false]);
    expect(await resumeFaults(project)).toEqual([]);
  },
);
