import { mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { createEvidence } from "../../src/journal/evidence.ts";
import { createSystem } from "../../src/platform/create-system.ts";

async function openEvidence() {
  const folder = await mkdtemp(join(tmpdir(), "ralph-evidence-"));
  const evidence = createEvidence(createSystem().files(folder));
  return { folder, evidence, [Symbol.asyncDispose]: () => rm(folder, { recursive: true }) };
}

test("a text is stored once, under its own digest, and read back", async () => {
  await using place = await openEvidence();
  const ref = await place.evidence.put("gate output\n", 5_000_000);
  expect(await place.evidence.put("gate output\n")).toMatchObject({ sha256: ref.sha256 });
  await place.evidence.settle();
  expect(ref.bytes).toBe(5_000_000);
  expect(await readdir(join(place.folder, "evidence"))).toEqual([ref.sha256]);
  expect(await place.evidence.read(ref)).toBe("gate output\n");
});

test("a long text keeps head and tail and says what is missing", async () => {
  await using place = await openEvidence();
  const text = `head${"x".repeat(6 * 1024 * 1024)}tail`;
  const stored = await place.evidence.read(await place.evidence.put(text));
  expect(stored.length).toBeLessThan(4.1 * 1024 * 1024);
  // A pattern over megabytes would need a deeper stack than a worker has.
  const [head = "", missing, tail = ""] = stored.split("\n");
  expect([head.slice(0, 5), missing, tail.slice(-5)]).toEqual([
    ...["headx", expect.stringMatching(/^\[… \d+ characters left out …\]$/), "xtail"],
  ]);
});

test("evidence that was changed or is gone is tampering, named by its file", async () => {
  await using place = await openEvidence();
  const ref = await place.evidence.put("true");
  const path = join(place.folder, "evidence", ref.sha256);
  await writeFile(path, "false");
  await expect(place.evidence.read(ref)).rejects.toMatchObject({ reason: "tampering" });
  await rm(path);
  await expect(place.evidence.read(ref)).rejects.toThrow("missing");
});
