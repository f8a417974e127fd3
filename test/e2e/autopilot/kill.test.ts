import { expect } from "vitest";
import { sampled, thorough } from "../../setup/sampled.ts";
import { createAutopilotProject, goodAnswer, say } from "../../support/autopilot/project.ts";
import {
  createKillProject,
  enumerateEffects,
  killAll,
  phases,
  runChild,
  way,
} from "../../support/crash/autopilot.ts";

// Every phase and every step of the way: test/torture/autopilot-kills.test.ts.
thorough(
  "a run killed while it plans, opens its session or works resumes without a loss and repeats nothing",
  async () => {
    const some = phases.filter(([name, nth]) => nth === 1 && !name.startsWith("write tasks/"));
    expect(await killAll(sampled(some, 2), "base")).toEqual([]);
  },
);

thorough("a run killed while it leaves another branch resumes from there", async () => {
  expect(await killAll(way.slice(1, 3), "aside")).toEqual([]);
});

thorough(
  "after such a kill a new run can start too, and changes of a person are never undone",
  async () => {
    await using project = await createKillProject("aside");
    const points = await enumerateEffects("aside");
    const point = points.find(
      ({ name, how }) => name.startsWith("ask git read-tree") && how === "after",
    );
    if (!point) throw new Error("There is no such moment.");
    await runChild(project, { point }, ["autopilot"]);
    const moved = project.git("status", "--porcelain");
    expect(moved).toContain("both.txt");
    project.write("both.txt", "mine\n");
    expect(await project.ralph("autopilot")).toMatchObject({
      exitCode: 14,
      stderr: expect.stringContaining("both.txt"),
    });
    expect(project.read("both.txt")).toBe("mine\n");
    project.write("both.txt", "base\n");
    expect((await project.ralph("autopilot")).exitCode).toBe(0);
    expect(project.git("status", "--porcelain")).toBe("");
    expect(project.git("show", "aside:both.txt")).toBe("aside, and longer");
  },
);

thorough("Ctrl-C during a question is exit 7, and the run resumes from there", async () => {
  const turns = [{ say: "", breaks: "hang" } as const, say(goodAnswer)];
  await using project = await createAutopilotProject({ turns });
  const running = runChild(project, { interrupt: () => project.model.asks.length > 0 }, [
    "autopilot",
  ]);
  expect(await running).toMatchObject({ exitCode: 7 });
  expect(await project.record()).toMatchObject({ status: "aborted", phase: "aborted" });
  expect((await project.ralph("autopilot", "--resume")).exitCode).toBe(0);
  expect(project.commits()).toHaveLength(4);
});
