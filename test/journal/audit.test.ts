import { appendFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { auditEvidence, auditPasses, readJournal } from "../../src/journal/audit.ts";
import { createEvidence } from "../../src/journal/evidence.ts";
import { journalFile, startJournal } from "../../src/journal/journal.ts";
import { passing, sessionStart, task } from "../support/builders/session.ts";
import { createTestSystem } from "../support/project/system.ts";

/** A journal of one passed task, and one piece of evidence. */
async function writeJournal(system: Awaited<ReturnType<typeof createTestSystem>>) {
  const files = system.files(system.root);
  const { clock } = system;
  await using journal = await startJournal({ files, clock }, sessionStart([task("T-001")]));
  const output = await createEvidence(files).put("All tests passed.");
  await journal.append({ type: "setup_end", name: "install", status: "passed", ms: 1, output });
  for (const fact of passing("T-001")) await journal.append(fact);
  return { files, output, digest: journal.digest };
}

test("a journal is read to its last line, and a torn one is cut off", async () => {
  await using system = await createTestSystem({ stepMs: 1 });
  const { files, digest } = await writeJournal(system);
  appendFileSync(join(system.root, journalFile), '{"type":');
  const reading = await readJournal(files);
  expect(reading).toMatchObject({ digest, broken: undefined });
  expect(reading.moments.at(-1)?.event.type).toBe("task_committed");
});

test("behind a break nothing is believed", async () => {
  await using system = await createTestSystem({ stepMs: 1 });
  const { files } = await writeJournal(system);
  appendFileSync(join(system.root, journalFile), '{"type":"session_end"}\n');
  const reading = await readJournal(files);
  expect(reading).toMatchObject({ digest: undefined, broken: expect.stringMatching(/:11: /) });
  expect(reading.moments).toHaveLength(10);
});

test("a folder without a journal says so", async () => {
  await using system = await createTestSystem();
  const { broken, state } = await readJournal(system.files(system.root));
  expect(state).toBeUndefined();
  expect(broken).toContain("holds no journal");
});

test("evidence that is gone is named once", async () => {
  await using system = await createTestSystem({ stepMs: 1 });
  const { files, output } = await writeJournal(system);
  rmSync(join(system.root, "evidence", output.sha256));
  const { problems } = await auditEvidence(files, await readJournal(files));
  expect(problems.filter((problem) => problem.includes(output.sha256))).toHaveLength(1);
});

test("each pass is judged with its commit", async () => {
  await using system = await createTestSystem({ stepMs: 1 });
  const { files } = await writeJournal(system);
  const [pass] = auditPasses(await readJournal(files), []);
  expect(pass).toMatchObject({ task: "T-001", committed: { commit: "c1" }, lacks: [] });
});
