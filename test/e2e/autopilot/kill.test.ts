import { expect, test } from "vitest";
import { createAutopilotProject, goodAnswer, say } from "../../support/autopilot/project.ts";
import {
  type Begin,
  createKillProject,
  enumerateEffects,
  killAndResume,
  runChild,
} from "../../support/crash/autopilot.ts";
import type { Moment } from "../../support/crash/system.ts";

/** An effect by how its name begins, which of them, and when; usually half-way. */
type Wanted = readonly [name: string, nth: number, how?: Moment];

/** Effects of every phase that change something. */
const phases: readonly Wanted[] = [
  ["write autopilot/", 1],
  ["write autopilot/", 2],
  ["write .ralph/autopilot/runs/", 3],
  ["ask git update-ref", 1],
  ["write tasks/", 1],
  ["ask git update-ref", 2],
  ["write .ralph/prd.json", 1],
  ["copy-locked index", 2],
  ["write autopilot/", 9],
  ["write journal.jsonl", 1],
  ["supervise agent", 1],
];

/** Effects between leaving another branch and checking out the run's own, files, HEAD and index. */
const way: readonly Wanted[] = [
  ["ask git read-tree", 1],
  ["copy-locked index", 1],
  ["copy-locked index", 1, "after"],
  ["write HEAD", 2, "after"],
];

/** What is wrong after a kill at each of them. */
async function killAll(wanted: readonly Wanted[], begin: Begin): Promise<string[]> {
  const points = await enumerateEffects(begin);
  const faults: string[] = [];
  const waiting = [...wanted];
  const work = async () => {
    for (let next = waiting.shift(); next; next = waiting.shift()) {
      const [name, nth, how = "within"] = next;
      const found = points.filter((each) => each.name.startsWith(name) && each.how === how);
      const point = found[nth - 1];
      const reported = point ? await killAndResume(point, begin) : ["it does not happen"];
      faults.push(...reported.map((fault) => `${how} ${name} ${nth}: ${fault}`));
    }
  };
  await Promise.all([work(), work()]);
  return faults;
}

test("a run killed in any phase resumes without a loss and repeats nothing", async () => {
  expect(await killAll(phases, "base")).toEqual([]);
}, 120_000);

test("a run killed while it leaves another branch resumes from there", async () => {
  expect(await killAll(way, "aside")).toEqual([]);
}, 120_000);

test("after such a kill a new run can start too, and changes of a person are never undone", async () => {
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
}, 60_000);

test("Ctrl-C during a question is exit 7, and the run resumes from there", async () => {
  const turns = [{ say: "", breaks: "hang" } as const, say(goodAnswer)];
  await using project = await createAutopilotProject({ turns });
  const running = runChild(project, { interrupt: () => project.model.asks.length > 0 }, [
    "autopilot",
  ]);
  expect(await running).toMatchObject({ exitCode: 7 });
  expect(await project.record()).toMatchObject({ status: "aborted", phase: "aborted" });
  expect((await project.ralph("autopilot", "--resume")).exitCode).toBe(0);
  expect(project.commits()).toHaveLength(4);
}, 60_000);
