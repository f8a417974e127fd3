import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { unpackBundle } from "../../../src/github/artifacts/unpack-bundle.ts";
import { renderZip, type ZipEntry } from "../../support/github/zip.ts";
import { createTestSystem } from "../../support/project/system.ts";

const name = "ralph-session-12-1";
const sha256 = "a".repeat(64);
const journal = { name: "journal.jsonl", content: "{}\n" };

async function unpack(entries: readonly ZipEntry[], zip = renderZip(entries)) {
  const system = await createTestSystem();
  const folder = join(system.root, "bundle");
  const unpacked = unpackBundle(system, { zip, folder, name });
  return { system, folder, unpacked };
}

test("only the files of a bundle are unpacked", async () => {
  const { system, folder, unpacked } = await unpack([
    journal,
    { name: "evidence/", content: "" },
    { name: `evidence/${sha256}`, content: "said" },
    { name: "objects.pack", content: "PACK" },
    { name: "notes.txt", content: "no part of a bundle" },
    { name: `evidence/deeper/${sha256}`, content: "not part of a bundle" },
  ]);
  await using _ = system;
  await unpacked;
  expect(readdirSync(folder, { recursive: true }).sort()).toEqual([
    "evidence",
    `evidence/${sha256}`,
    "journal.jsonl",
    "objects.pack",
  ]);
  expect(readFileSync(join(folder, "evidence", sha256), "utf8")).toBe("said");
});

test("an autopilot run without a session is unpacked with its commits", async () => {
  const { system, folder, unpacked } = await unpack([
    { name: "autopilot.json", content: "{}\n" },
    { name: "objects.pack", content: "PACK" },
  ]);
  await using _ = system;
  await unpacked;
  expect(readdirSync(folder).sort()).toEqual(["autopilot.json", "evidence", "objects.pack"]);
});

const big = Buffer.alloc(14 * 1024 * 1024);
const hostile: [what: string, entries: ZipEntry[], because: RegExp][] = [
  ["a path that leads outside", [journal, { name: "../x", content: "" }], /invalid relative path/],
  ["an absolute path", [journal, { name: "/etc/x", content: "" }], /absolute path/],
  ["a path with backslashes", [journal, { name: "..\\x", content: "" }], /invalid characters/],
  [
    "a link in place of the journal",
    [{ ...journal, content: "/etc/passwd", mode: 0o120777 }],
    /is a link/,
  ],
  ["a link anywhere", [journal, { name: "x", content: "/etc", mode: 0o120777 }], /is a link/],
  ["the same name twice", [journal, journal], /holds journal\.jsonl twice/],
  ["no journal", [{ name: "objects.pack", content: "PACK" }], /no journal\.jsonl/],
  [
    "a file that is too large",
    [journal, { name: `evidence/${sha256}`, content: big }],
    /has 14680064 bytes/,
  ],
  [
    "a file that exceeds its stated size",
    [journal, { name: `evidence/${sha256}`, content: big, statedBytes: 10 }],
    /too many bytes/,
  ],
];

test.each(hostile)("an archive with %s is refused as a whole", async (_, entries, because) => {
  const { system, folder, unpacked } = await unpack(entries);
  await using _system = system;
  await expect(unpacked).rejects.toMatchObject({
    reason: "source",
    message: expect.stringMatching(because),
  });
  expect(readdirSync(system.root, { recursive: true })).not.toContain("x");
  expect(await system.files(folder).stat("journal.jsonl")).toBeUndefined();
});

test("a file that is not an archive is refused", async () => {
  const { system, unpacked } = await unpack([], Buffer.from("<html>"));
  await using _ = system;
  await expect(unpacked).rejects.toMatchObject({ reason: "source" });
});

test("a folder that is not empty is left alone", async () => {
  await using system = await createTestSystem();
  await system.files(system.root).write("bundle/mine.txt", "mine");
  const folder = join(system.root, "bundle");
  const zip = renderZip([journal]);
  await expect(unpackBundle(system, { zip, folder, name })).rejects.toThrow(/is not empty/);
  expect(readdirSync(folder)).toEqual(["mine.txt"]);
});
