import { expect, test } from "vitest";
import { omx } from "../../../src/dialects/omx/omx.ts";
import { checkForeignText } from "../../../src/entry/foreign-tree.ts";
import { sha256 } from "../../../src/schema/session-files/checksum.ts";
import { checkForeignList } from "../../../src/schema/tasks/foreign/check-foreign-list.ts";

const now = "2026-01-25T15:00:00.000Z";
const legacyPrd = `${JSON.stringify({
  project: "Login: people & passwords",
  userStories: [
    { id: "US-001", title: "Form", acceptanceCriteria: ["It is shown"], passes: true },
    { id: "US-002", title: "Check", acceptanceCriteria: ["It is checked"], passes: false },
  ],
})}\n`;
const legacyProgress = "Started\r\n\r\n  US-001 done  \nNext: US-002";
const legacy = { ".omx/prd.json": legacyPrd, ".omx/progress.txt": legacyProgress };
const prd = ".omx/plans/prd-login-people-passwords.md";
const marker = ".omx/plans/ralph-migration-marker.json";

/** The files after a renewal, and which of them it wrote. */
function renewed(files: Record<string, string>, time = now) {
  const tree = new Map(Object.entries(files));
  const written = (omx.onImport?.(tree, time) ?? []).map((file) => {
    if (!("text" in file) || file.text === undefined) throw new Error("whole files only");
    tree.set(file.path, file.text);
    return file.path;
  });
  return { files: Object.fromEntries(tree), written };
}

test("both older files are brought into present form, and stay as they are", () => {
  const { files, written } = renewed(legacy);
  expect(written).toEqual([prd, ".omx/state/ralph-progress.json", marker]);
  expect(files).toMatchObject(legacy);
  for (const [path, text] of Object.entries(files)) {
    expect(checkForeignText(omx, path, text)).toEqual({ problems: [], warnings: [] });
  }
  expect(files[prd]).toContain(`- Source SHA256: \`${sha256(legacyPrd)}\``);
  expect(files[prd]?.split("\n").at(0)).toBe("# Login: people & passwords");
  expect(JSON.parse(files[".omx/state/ralph-progress.json"] ?? "")).toEqual({
    schema_version: 2,
    source: ".omx/progress.txt",
    source_sha256: sha256(legacyProgress),
    strategy: "one-way-read-only",
    created_at: now,
    updated_at: now,
    entries: [
      { index: 1, text: "Started" },
      { index: 2, text: "US-001 done" },
      { index: 3, text: "Next: US-002" },
    ],
    visual_feedback: [],
  });
  expect(JSON.parse(files[marker] ?? "")).toMatchObject({
    prd_migration: { source_sha256: sha256(legacyPrd), canonical_path: prd },
    progress_migration: { source_sha256: sha256(legacyProgress) },
  });
});

test("a second time nothing is done, also in another session", () => {
  const { files } = renewed(legacy);
  expect(renewed(files, "2026-02-01T00:00:00.000Z").written).toEqual([]);
  const other = { ...files, ".omx/state/session.json": '{"session_id": "s2"}' };
  expect(renewed(other).written).toEqual([]);
});

test("a file that is removed after an upgrade is written again", () => {
  const { files } = renewed(legacy);
  const { [prd]: _, ...rest } = files;
  expect(renewed(rest).files).toEqual(files);
});

test("where there is a present form already, the older file is left", () => {
  const own = { ...legacy, ".omx/plans/prd-other.md": "# Other\n" };
  expect(renewed(own).written).toEqual([".omx/state/ralph-progress.json", marker]);
  const both = { ...own, ".omx/state/ralph-progress.json": '{"schema_version": 2, "entries": []}' };
  expect(renewed(both).written).toEqual([]);
});

test("a list that ralph has written is not a canonical one", () => {
  const ours = { [prd]: "# Login\n\n<!-- ralph:prd -->\n" };
  const { written, files } = renewed({ ...legacy, ...ours });
  expect(written[0]).toBe(".omx/plans/prd-login-people-passwords-1.md");
  expect(files[prd]).toBe(ours[prd]);
});

test("progress goes to the scope of the current session, but never to a ralph session", () => {
  const of = (session_id: string) =>
    renewed({ ...legacy, ".omx/state/session.json": JSON.stringify({ session_id }) }).written[1];
  expect(of("s1")).toBe(".omx/state/sessions/s1/ralph-progress.json");
  expect(of("20260125-143052-a7b3c9")).toBe(".omx/state/ralph-progress.json");
});

test.each([
  [{ title: "  A\n title " }, "# A title", ".omx/plans/prd-a-title.md"],
  [{ branchName: "ralph/x" }, "# ralph/x", ".omx/plans/prd-ralph-x.md"],
  [{ project: 5, description: "D" }, "# D", ".omx/plans/prd-d.md"],
  [[], "# Legacy Ralph PRD", ".omx/plans/prd-legacy-ralph-prd.md"],
  [{ project: "???" }, "# ???", ".omx/plans/prd-legacy.md"],
  [{ project: "../../etc" }, "# ../../etc", ".omx/plans/prd-etc.md"],
  [{ project: "a".repeat(60) }, `# ${"a".repeat(60)}`, `.omx/plans/prd-${"a".repeat(48)}.md`],
])("%j is called %s", (value, heading, path) => {
  const { files, written } = renewed({ ".omx/prd.json": JSON.stringify(value) });
  expect(written[0]).toBe(path);
  expect(files[path]?.split("\n")[0]).toBe(heading);
});

test("tasks are read from the document as from the older list, including passes", () => {
  const { files } = renewed(legacy);
  const found = omx.tasks(new Map(Object.entries(files)));
  expect(found?.path).toBe(prd);
  expect(omx.tasks(new Map(Object.entries(legacy)))?.list).toEqual(found?.list);
  const { data } = checkForeignList(found?.list, {
    kind: "list",
    source: "imported-prd",
    file: prd,
  });
  expect(data?.tasks.map(({ id, passes }) => [id, passes])).toEqual([
    ["T-001", true],
    ["T-002", false],
  ]);
  expect(data?.metadata).toMatchObject({ idMap: { "T-001": "US-001", "T-002": "US-002" } });
});
