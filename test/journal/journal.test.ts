import { mkdtemp, readFile, rm, truncate, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { RunEvent } from "../../src/core/state/event.ts";
import { reopenJournal, replayJournal, startJournal } from "../../src/journal/journal.ts";
import { createSystem } from "../../src/platform/create-system.ts";
import { passing, sessionStart, start, task } from "../support/builders/session.ts";

async function openFolder() {
  const folder = await mkdtemp(join(tmpdir(), "ralph-journal-"));
  const { files, clock } = createSystem();
  return {
    folder,
    file: join(folder, "journal.jsonl"),
    files: files(folder),
    clock,
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true }),
  };
}

const first = sessionStart([task("T-001")]);

async function written(place: Awaited<ReturnType<typeof openFolder>>) {
  await using journal = await startJournal(place, first);
  for (const fact of passing("T-001")) await journal.append(fact, { durable: true });
  return journal.state;
}

test("a journal read back adds up to the same run", async () => {
  await using place = await openFolder();
  const state = await written(place);
  const seen: RunEvent[] = [];
  const replay = await replayJournal(place.files, (event) => void seen.push(event));
  expect(replay?.state).toEqual(state);
  expect(seen.map(({ seq }) => seq)).toEqual(seen.map((_, index) => index + 1));
});

test("time stamps grow by at least a millisecond, also when the clock runs backwards (F17)", async () => {
  await using place = await openFolder();
  let now = Date.parse("2026-01-25T14:30:52.000Z");
  const clock = { ...place.clock, now: () => now };
  await using journal = await startJournal({ ...place, clock }, first);
  const stamps = [];
  for (const step of [0, -3_600_000, 86_400_000, 0]) {
    now += step;
    stamps.push((await journal.append(start("T-001"))).ts);
  }
  expect(stamps).toEqual([...stamps].sort());
  expect(new Set(stamps).size).toBe(stamps.length);
});

test("an incomplete last line is what a kill leaves behind: it is left out, then cut off (F10)", async () => {
  await using place = await openFolder();
  await written(place);
  const whole = await readFile(place.file, "utf8");
  const complete = whole.trimEnd().split("\n").length;
  const lastLine = whole.lastIndexOf("\n", whole.length - 2) + 1;
  for (const size of [lastLine + 1, lastLine + 40, whole.length - 1]) {
    await writeFile(place.file, whole);
    await truncate(place.file, size);
    const replay = await replayJournal(place.files);
    expect(replay).toMatchObject({ isTorn: true, end: { seq: complete - 1 } });
    if (!replay) throw new Error("unreachable");
    await using journal = await reopenJournal(place, replay);
    await journal.append({ type: "warning", message: "after the crash" });
    expect((await replayJournal(place.files))?.state.warnings).toEqual(["after the crash"]);
  }
});

test.each<[string, (lines: string[]) => string[]]>([
  ["a changed line", (lines) => lines.with(2, (lines[2] ?? "").replace("t1", "t9"))],
  ["a missing line", (lines) => lines.toSpliced(2, 1)],
  [
    "two lines in the wrong order",
    (lines) => lines.with(1, lines[2] ?? "").with(2, lines[1] ?? ""),
  ],
  ["a line of another kind", (lines) => lines.with(2, "{}")],
  ["a line that is no JSON", (lines) => lines.with(2, "{")],
  [
    "an event that cannot follow, as the last line whose chain is whole,",
    (lines) =>
      lines.with(
        3,
        JSON.stringify({
          ...JSON.parse(lines[3] ?? ""),
          ...{ type: "iteration_failed", task: "T-999", iteration: 1, step: "gates" },
          feedback: "none",
        }),
      ),
  ],
])("%s breaks the chain, named by its line", async (_, change) => {
  await using place = await openFolder();
  await written(place);
  const lines = (await readFile(place.file, "utf8")).trimEnd().split("\n");
  await writeFile(place.file, `${change(lines).join("\n")}\n`);
  await expect(replayJournal(place.files)).rejects.toMatchObject({
    reason: "tampering",
    message: expect.stringMatching(/journal\.jsonl:[234]: the journal was changed/),
  });
});

test("there is nothing to replay where there is no journal", async () => {
  await using place = await openFolder();
  expect(await replayJournal(place.files)).toBeUndefined();
});
