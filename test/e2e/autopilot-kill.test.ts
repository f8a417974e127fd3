import { expect, test } from "vitest";
import { enumerateEffects, killAndResume, runChild } from "../support/autopilot-kill.ts";
import { createAutopilotProject, goodAnswer, say } from "../support/autopilot-project.ts";

/** Effects of every phase that change something, by how their names begin, and which of them. */
const phases: readonly [name: string, nth: number][] = [
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

test("a run killed in any phase is resumed without a loss, and nothing is done twice", async () => {
  const points = await enumerateEffects();
  const faults: string[] = [];
  const waiting = [...phases];
  const work = async () => {
    for (let phase = waiting.shift(); phase; phase = waiting.shift()) {
      const [name, nth] = phase;
      const found = points.filter((point) => point.name.startsWith(name) && point.how === "within");
      const point = found[nth - 1];
      if (point) faults.push(...(await killAndResume(point)).map((fault) => `${name}: ${fault}`));
      else faults.push(`there is no ${name} number ${nth}`);
    }
  };
  await Promise.all([work(), work()]);
  expect(faults).toEqual([]);
}, 120_000);

test("Ctrl-C while the model thinks is exit 7, and the run goes on from there", async () => {
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
