import {
  appendFileSync,
  existsSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { finalizeStep } from "../../../src/action/steps/finalize-step.ts";
import type { System } from "../../../src/platform/system.ts";
import { thorough } from "../../setup/sampled.ts";
import { runWithRunner, stepContext } from "../../support/action/step.ts";
import { task } from "../../support/builders/session.ts";
import { createProject, type Project, sessionFolders } from "../../support/project/project.ts";

const two = ["T-001", "T-002"].map((id) => task(id));

/** A session whose process was killed after its first task: no end in the journal, no pack. */
async function killedSession(project: Project): Promise<string> {
  await project.run();
  const [folder = ""] = sessionFolders(project.stateDir);
  const journal = join(folder, "journal.jsonl");
  const lines = readFileSync(journal, "utf8").trimEnd().split("\n");
  const passed = lines.findIndex((line) => JSON.parse(line).type === "task_committed");
  writeFileSync(journal, `${lines.slice(0, passed + 1).join("\n")}\n`);
  rmSync(join(folder, "objects.pack"));
  return folder;
}

function systemOf(project: Project, folder: string): System {
  const env = { ...project.system.env, GITHUB_WORKSPACE: project.root, RALPH_BUNDLE: folder };
  return { ...project.system, env };
}

/** Seals in a process of its own, whose outputs the runner reads. */
function seal(project: Project, folder: string) {
  const env = { ...project.system.env, GITHUB_WORKSPACE: project.root, RALPH_BUNDLE: folder };
  const source = `
    import { finalizeStep } from "$SRC/action/steps/finalize-step.ts";
    import { printTo } from "$SRC/action/step.ts";
    import { createSystem } from "$SRC/platform/create-system.ts";
    const system = { ...createSystem(), env: ${JSON.stringify(env)} };
    await finalizeStep({ system, inputs: {}, print: printTo(process.stdout) });`;
  return runWithRunner(join(project.folder, "runner"), source);
}

thorough("a session that has ended is a complete bundle", async () => {
  await using project = await createProject({ tasks: two });
  await project.run();
  const [folder = ""] = sessionFolders(project.stateDir);
  expect(seal(project, folder)).toEqual({ outputs: { bundle: folder }, printed: "" });
});

thorough("a killed session is completed, and another machine continues it", async () => {
  await using project = await createProject({ tasks: two });
  const folder = await killedSession(project);
  appendFileSync(join(folder, "journal.jsonl"), '{"seq":99,"half a li');
  const { outputs, printed } = seal(project, folder);
  expect(outputs).toEqual({ bundle: folder });
  expect(readFileSync(join(folder, "report.html"), "utf8")).toContain("interrupted: 1 of 2 tasks");
  expect(printed).toContain("The session was killed; the tasks it had passed are kept.");
  expect(existsSync(join(folder, "objects.pack"))).toBe(true);

  const clone = join(project.folder, "clone");
  project.gitIn(project.folder, "clone", "-q", "-b", "main", project.root, clone);
  const elsewhere = await project.runIn(clone, "--resume", folder);
  expect(elsewhere.exitCode).toBe(0);
  expect(elsewhere.facts("task_passed").map((fact) => fact.task)).toEqual(["T-001", "T-002"]);
});

test("a session that was killed before its start leaves nothing to keep", async () => {
  await using project = await createProject({ tasks: two });
  const { outputs, printed } = seal(project, join(project.folder, "none"));
  expect(outputs).toEqual({});
  expect(printed).toContain("killed before it started");
});

test("a session that is too large to be downloaded again is refused and not uploaded", async () => {
  await using project = await createProject({ tasks: two });
  await project.run();
  const [folder = ""] = sessionFolders(project.stateDir);
  truncateSync(join(folder, "objects.pack"), 513 * 1024 ** 2);
  const context = stepContext(systemOf(project, folder));
  await expect(finalizeStep(context)).rejects.toMatchObject({
    exitCode: 2,
    message: expect.stringMatching(/513 MiB, more than the 512 MiB/),
  });
});
