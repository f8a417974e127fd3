import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { hashLine } from "../../../src/journal/line.ts";
import { auditSession, isSound } from "../../../src/session/audit/audit-session.ts";
import { locateProject } from "../../../src/session/open/locate-project.ts";
import { task } from "../../support/builders/session.ts";
import { createProject, type Project } from "../../support/project/project.ts";

const one = { tasks: [task("T-001")], config: { sandbox: { mode: "off" } } };

type Line = Record<string, unknown> & { type: string };

/** Rewrites a journal as somebody would who knows how its chain is made. */
function forge(project: Project, change: (lines: Line[]) => Line[]): void {
  const [store = ""] = readdirSync(project.stateDir);
  const sessions = join(project.stateDir, store, "sessions");
  const file = join(sessions, readdirSync(sessions)[0] ?? "none", "journal.jsonl");
  const lines = readFileSync(file, "utf8").trimEnd().split("\n");
  let prev = "0".repeat(64);
  const forged = change(lines.map((line) => JSON.parse(line))).map((line, index) => {
    const text = JSON.stringify({ ...line, seq: index + 1, prev });
    prev = hashLine(text);
    return `${text}\n`;
  });
  writeFileSync(file, forged.join(""));
}

async function audit(project: Project) {
  const place = await locateProject(project.system, project.root);
  const [id = ""] = await place.store.files.list("sessions");
  const found = await auditSession(project.system, { place, files: place.store.session(id) });
  return { isSound: isSound(found), lacks: found.passes.flatMap(({ lacks }) => lacks), ...found };
}

const replace = (type: string, more: object) => (lines: Line[]) =>
  lines.map((line) => (line.type === type ? { ...line, ...more } : line));

test("a chain forged as a whole does not fit the commit's anchor", async () => {
  await using project = await createProject(one);
  await project.run();
  expect(await audit(project)).toMatchObject({ isSound: true, lacks: [] });
  forge(project, replace("agent_end", { ms: 1 }));
  const { isSound: is, problems, lacks } = await audit(project);
  expect(is).toBe(false);
  expect(problems).toEqual([]);
  expect(lacks).toEqual([expect.stringMatching(/says Ralph-Journal \d+:\w+, not \d+:\w+$/)]);
});

test.each<[string, (lines: Line[]) => Line[], RegExp]>([
  [
    "a gate that never ran",
    (lines) => lines.filter(({ type }) => type !== "gate_end"),
    /gate "check" did not run/,
  ],
  [
    "another tree of the commit",
    replace("task_committed", { tree: "a".repeat(40) }),
    /has another tree than the journal says/,
  ],
  [
    "another commit",
    replace("task_committed", { commit: "b".repeat(40) }),
    /bbbbbbbbbbbb is not in this repository/,
  ],
])("%s is found", async (_, change, expected) => {
  await using project = await createProject(one);
  await project.run();
  forge(project, change);
  const { lacks } = await audit(project);
  expect(lacks.join("\n")).toMatch(expected);
});

test("a commit with more than what was proved, another parent or no trailers is found", async () => {
  await using project = await createProject(one);
  await project.run();
  project.write("src/T-001.txt", "something nobody reviewed\n");
  project.git("commit", "-qam", "feat(T-001): forged");
  const commit = project.git("rev-parse", "HEAD");
  const tree = project.git("rev-parse", "HEAD^{tree}");
  forge(project, replace("task_committed", { commit, tree }));
  const { lacks } = await audit(project);
  const found = lacks.join("\n");
  expect(found).toContain("has another parent than the journal says");
  expect(found).toContain("holds more than the proved tree and bookkeeping");
  expect(found).toContain("says Ralph-Task nothing, not T-001");
});

test("an event that cannot follow ends the reading, and what came before is still judged", async () => {
  await using project = await createProject(one);
  await project.run();
  forge(project, (lines) =>
    lines.map((line) =>
      line.type === "session_end"
        ? { ...line, type: "task_start", task: "T-999", tree: "t" }
        : line,
    ),
  );
  const found = await audit(project);
  expect(found.problems).toEqual([expect.stringContaining("T-999")]);
  expect(found.passes).toHaveLength(1);
});

test("a session that claims to be done and is not", async () => {
  await using project = await createProject({
    ...one,
    agent: { review: "signal review-rejected" },
  });
  await project.run();
  forge(project, replace("session_end", { reason: "all_done" }));
  const { problems } = await audit(project);
  expect(problems).toEqual([
    "the session ended as all done, and T-001 is not passed and committed",
  ]);
});
