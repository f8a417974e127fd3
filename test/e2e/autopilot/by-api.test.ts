import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { thorough } from "../../setup/sampled.ts";
import { itemBranch } from "../../support/autopilot/project.ts";
import { createTravellingRun, type TravellingRun } from "../../support/autopilot/travelling-run.ts";

const document = "tasks/prd-login-form.md";
const tipOf = ({ remoteGit }: TravellingRun) => remoteGit("rev-parse", itemBranch);

/** Up to the draft with the document alone. */
async function createDraft(): Promise<TravellingRun> {
  const run = await createTravellingRun({ config: { commits: "api" } });
  await run.project.ralph("autopilot", "--prd-mode", "interactive");
  expect(await run.project.ralph("publish")).toMatchObject({ exitCode: 0, stderr: "" });
  return run;
}

test("with `commits: api` GitHub commits the document too, and a second run sends nothing", async () => {
  await using run = await createDraft();
  const { project, remoteGit, fake } = run;
  const made = tipOf(run);
  expect(remoteGit("cat-file", "commit", made)).toMatch(/github-actions\[bot\].*gpgsig/s);
  expect(remoteGit("rev-parse", `${made}^{tree}`)).toBe(
    project.git("rev-parse", `${itemBranch}^{tree}`),
  );
  expect(fake.state.pulls).toMatchObject([{ draft: true, head: { ref: itemBranch } }]);
  const again = await project.ralph("publish", "--json");
  expect(JSON.parse(again.stdout)).toMatchObject({ commit: made, pushed: "up-to-date" });
  expect(tipOf(run)).toBe(made);
});

const documents: [what: string, words: string | undefined][] = [
  ["as its reader has changed it", "all its text"],
  ["as it is", undefined],
];
thorough.each(documents)(
  "such a document, %s, continues elsewhere, on the same branch",
  async (_, words) => {
    await using run = await createDraft();
    const { project, remoteGit } = run;
    const made = tipOf(run);
    const artifact = run.carry("plan");
    if (words !== undefined) pushEdit(run, words);
    const edited = tipOf(run);
    const machine = run.machine("elsewhere");
    const resumed = await project.ralphIn(machine, "autopilot", "--resume", artifact);
    expect(resumed).toMatchObject({ exitCode: 0, stderr: "" });
    const ids = remoteGit("log", "--format=%H", `main..${itemBranch}`).split("\n");
    expect(ids).toEqual(expect.arrayContaining([made, edited]));
    expect(JSON.stringify(project.model.asks.at(-1))).toContain(words ?? "its text");
  },
);

function pushEdit(run: TravellingRun, words: string): void {
  const reader = run.machine("reader");
  const git = (...args: string[]) => run.project.gitIn(reader, ...args);
  git("switch", "-q", itemBranch);
  const text = git("show", `HEAD:${document}`);
  writeFileSync(join(reader, document), `${text.replaceAll("its text", words)}\n`);
  git("commit", "-qam", "all of it");
  git("push", "-q", "../github/octo/example.git", itemBranch);
}
