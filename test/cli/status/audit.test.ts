import { cpSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { thorough } from "../../setup/sampled.ts";
import { task } from "../../support/builders/session.ts";
import { createProject, type Project } from "../../support/project/project.ts";
import { hasBubblewrap } from "../../support/project/sandbox.ts";

const two = { tasks: [task("T-001"), task("T-002")] };

async function createFinished(): Promise<Project & { session: string }> {
  const project = await createProject(two);
  await project.run();
  const store = join(project.stateDir, readdirSync(project.stateDir)[0] ?? "none", "sessions");
  return { ...project, session: join(store, readdirSync(store)[0] ?? "none") };
}

/** Changes the journal's text; hashes are left as they are. */
function edit({ session }: { session: string }, change: (text: string) => string): void {
  const file = join(session, "journal.jsonl");
  writeFileSync(file, change(readFileSync(file, "utf8")));
}

test("a finished session is sound: one line per task, one verdict, exit 0", async () => {
  await using project = await createFinished();
  const { exitCode, stdout, stderr } = await project.ralph("audit");
  expect(stderr).toBe("");
  expect(exitCode).toBe(0);
  expect(stdout).toMatch(/^✓ T-001 passed as [0-9a-f]{12}: Proof: /);
  expect(stdout).toMatch(
    /^Session \S+ is sound: \d+ events, \d+ pieces of evidence, journal \d+:/m,
  );
  const json = JSON.parse((await project.ralph("audit", "--json")).stdout);
  expect(json).toMatchObject({
    sound: true,
    problems: [],
    tasks: [{ id: "T-001", problems: [] }, {}],
  });
});

test.for([["off", true], ...(hasBubblewrap ? ([["required", false]] as const) : [])] as const)(
  "whether an agent could have rewritten the whole chain is said: with the sandbox %s, %j",
  async ([mode, isSaid]) => {
    await using project = await createProject({ tasks: [task("T-001")], sandbox: { mode } });
    await project.run();
    const { exitCode, stdout } = await project.ralph("audit");
    expect(exitCode).toBe(0);
    expect(stdout.includes("an agent could have rewritten its whole journal")).toBe(isSaid);
  },
);

test("a journal that was changed is not sound, with the line", async () => {
  await using project = await createFinished();
  edit(project, (text) => text.replace("review-approved", "review-rejected"));
  const { exitCode, stdout } = await project.ralph("audit");
  expect(exitCode).toBe(6);
  expect(stdout).toMatch(/✗ .*journal\.jsonl:\d+: the journal was changed/);
  expect(stdout).toMatch(/is NOT sound: \d+ problems?/);
});

test("missing and changed evidence is named, all of it", async () => {
  await using project = await createFinished();
  const [first = "", second = ""] = readdirSync(join(project.session, "evidence"));
  rmSync(join(project.session, "evidence", first));
  writeFileSync(join(project.session, "evidence", second), "something else");
  const { exitCode, stdout } = await project.ralph("audit");
  expect(exitCode).toBe(6);
  expect(stdout).toContain(`${first} is missing.`);
  expect(stdout).toContain(`${second} is not what the journal recorded.`);
});

test("a bundle is audited without being taken in, also where its commits are not known", async () => {
  await using project = await createFinished();
  const bundle = join(project.folder, "bundle");
  cpSync(project.session, bundle, { recursive: true });
  project.git("checkout", "-q", "main");
  project.git("branch", "-qD", "ralph/example");
  project.git("reflog", "expire", "--expire=now", "--all");
  project.git("gc", "-q", "--prune=now");
  const { exitCode, stdout } = await project.ralph("audit", "../bundle");
  expect(stdout).toMatch(/is sound/);
  expect(exitCode).toBe(0);
  expect(project.git("log", "--all", "--format=%s")).not.toContain("T-001");
  rmSync(join(bundle, "objects.pack"));
  const lacking = await project.ralph("audit", "../bundle");
  expect(lacking.exitCode).toBe(6);
  expect(lacking.stdout).toMatch(/✗ T-001\n {4}commit [0-9a-f]{12} is not in this repository/);
});

test("a name that is neither a session nor a bundle is refused with a list of sessions", async () => {
  await using project = await createFinished();
  const { exitCode, stderr } = await project.ralph("audit", "nowhere");
  expect(exitCode).toBe(1);
  expect(stderr).toMatch(
    /nowhere is neither a session of this project.*\nName one of these: \d{8}-/,
  );
});

test("before the first session there is nothing to audit", async () => {
  await using project = await createProject(two);
  expect(await project.ralph("audit")).toMatchObject({
    exitCode: 1,
    stderr: expect.stringMatching(/no session yet\.\nStart one with `ralph run`/),
  });
});

const steps = (stdout: string) => stdout.replaceAll(/, \d[^\n]*? (?:ms|s)$/gm, ", TIME");

test("--prove runs gates and criteria again in a fresh clone: exit 0, and what each said", async () => {
  const acceptanceCriteria = ["It reads well", "File `src/T-001.txt` exists"];
  await using project = await createProject({ tasks: [task("T-001", { acceptanceCriteria })] });
  await project.run();
  const { exitCode, stdout, stderr } = await project.ralph("audit", "--prove");
  expect(stderr).toBe("");
  expect(steps(stdout)).toMatch(
    /is sound.*\n✓ gate check, TIME\n✓ T-001 criterion 2: File `src\/T-001\.txt` exists\nHead \w{12} is proved by 1 gate and 1 checkable criterion of start commit \w{12}, in a fresh clone, without a sandbox\.\nTheir output is in \/.*\/proof\/evidence\.\n$/,
  );
  expect(exitCode).toBe(0);
});

thorough(
  "--prove refutes what passed only where the agent was: exit 4, with why; in JSON too",
  async () => {
    await using project = await createProject({
      files: { ".gitignore": "cache/\n" },
      tasks: [task("T-001", { acceptanceCriteria: ["Run `cat cache/result` exits with 0"] })],
      gates: { honest: "true", faked: "test ! -e src || cat cache/result" },
      agent: { implementation: "mkdir -p cache && echo ok >cache/result; honest" },
    });
    expect((await project.run()).exitCode).toBe(0);
    expect((await project.ralph("audit")).exitCode).toBe(0);
    const { exitCode, stdout } = await project.ralph("audit", "--prove");
    expect(exitCode).toBe(4);
    expect(steps(stdout)).toMatch(
      /✓ gate honest, TIME\n✗ gate faked, TIME\n {4}\| exit code 1\n {4}\| cat: /,
    );
    expect(stdout).toMatch(
      /✗ T-001 criterion 1: Run `cat cache\/result` exits with 0\n {4}\| exit code 1/,
    );
    expect(stdout).toMatch(
      /^Head \w{12} is REFUTED: 2 of 3 results red, from 2 gates and 1 checkable criterion /m,
    );
    const json = await project.ralph("audit", "--prove", "--json");
    expect(json.exitCode).toBe(4);
    expect(JSON.parse(json.stdout)).toMatchObject({
      sound: true,
      proof: { kind: "refuted", gates: [{ ok: true }, { ok: false }], criteria: [{ ok: false }] },
    });
  },
);

test("--prove runs nothing of a session that is not sound: exit 6", async () => {
  await using project = await createFinished();
  edit(project, (text) => text.replace("review-approved", "review-rejected"));
  const { exitCode, stdout } = await project.ralph("audit", "--prove");
  expect(exitCode).toBe(6);
  expect(stdout).not.toContain("gate check,");
});
