import { describe, expect, test } from "vitest";
import { agentFiles } from "../../../src/agents/drivers/drivers.ts";
import { createSecretFinder } from "../../../src/github/verify/find-secrets.ts";
import { checkPatch, firewallRules, flaggedModes } from "../../../src/github/verify/firewall.ts";
import type { FileSide, Patch, PatchFile } from "../../../src/github/verify/patch.ts";
import { Protect } from "../../../src/schema/config/safety.ts";

const secret = "correct-horse-battery-9";
const settings = {
  protect: Protect.parse({ max_files: 3, max_patch_bytes: 2000, max_file_bytes: 1000 }),
  own: [".ralph/prd.json", "AGENTS.md"],
  agentFiles: agentFiles(),
  findSecrets: createSecretFinder([secret]),
};

function side(
  content: string | undefined,
  mode = "100644",
  bytes = content?.length ?? 0,
): FileSide {
  return { mode, bytes, content: content === undefined ? undefined : Buffer.from(content) };
}

function added(path: string, content = "x\n", mode = "100644"): PatchFile {
  return { path, before: undefined, after: side(content, mode) };
}

function patch(files: PatchFile[], more: Partial<Patch> = {}): Patch {
  const paths = files.filter(({ after }) => after).map(({ path }) => path);
  return { text: "feat(T-001): work\n", files, paths, ...more };
}

const link = (path: string, target: string) => patch([added(path, target, "120000")]);
const bare = ["a/HEAD", "a/objects/x", "a/refs/x"];
const attacks: [what: string, rule: string, attack: Patch][] = [
  ["a workflow", "protected", patch([added(".github/workflows/x.yml")])],
  ["a workflow that is deleted", "protected", patch([{ ...added(".github/x"), after: undefined }])],
  ["a protected name in other letters", "protected", patch([added("agents.MD")])],
  ["bookkeeping that is a link", "protected", link("AGENTS.md", "notes.md")],
  ["too many files", "max_files", patch(["a", "b", "c", "d"].map((path) => added(path)))],
  ["too many changed lines", "max_patch_bytes", patch(["a", "b", "c"].map(lines))],
  ["a large file", "max_file_bytes", patch([added("a", "x".repeat(1001))])],
  [
    "a gitlink",
    "mode",
    patch([{ path: "sub", before: undefined, after: side(undefined, "160000") }]),
  ],
  ["a link to an absolute path", "link", link("a", "/etc/passwd")],
  ["a link above the root", "link", link("a/b", "../../x")],
  ["a link that turns back after another name", "link", link("a", "b/../../x")],
  ["a link into .git", "link", link("a/b", "../.GIT/hooks")],
  ["a link with a backslash", "link", link("a", "..\\x")],
  ["a bare repository", "bare-repository", patch(bare.map((path) => added(path)))],
  [
    "names that differ in case",
    "same-name",
    patch([added("Readme.md")], { paths: ["README.md", "Readme.md"] }),
  ],
  ["a known secret", "secret", patch([added("a", `key: ${secret}\n`)])],
  ["a known secret as a file name", "secret", patch([added(secret)])],
  ["a known secret in the message", "secret", patch([added("a")], { text: `work\n\n${secret}\n` })],
  ["a vendor's token", "secret", patch([added("a", `sk-ant-${"aB3".repeat(10)}`)])],
  [
    "a file that cannot be searched",
    "secret",
    patch([{ path: "a", before: undefined, after: side(undefined, "100644", 5) }]),
  ],
];

function lines(path: string): PatchFile {
  return added(path, Array.from({ length: 90 }, (_, index) => `line ${index}\n`).join(""));
}

describe("the firewall", () => {
  test.each(attacks)("stops %s, by the rule %s alone", (_, rule, attack) => {
    const findings = checkPatch(attack, settings);
    expect(findings).not.toEqual([]);
    expect(new Set(findings.map((finding) => finding.rule))).toEqual(new Set([rule]));
    const others = firewallRules.filter(({ name }) => name !== rule);
    expect(others.flatMap(({ check }) => check(attack, settings))).toEqual([]);
  });

  test("has an attack for every rule", () => {
    const tried = new Set(attacks.map(([, rule]) => rule));
    expect(firewallRules.map(({ name }) => name).filter((name) => !tried.has(name))).toEqual([]);
  });

  test("accepts ordinary work, bookkeeping and links inside the repository", () => {
    const work = patch([
      added("src/a.ts", "export const a = 1;\n"),
      added(".ralph/prd.json", "{}\n"),
      added("docs/latest", "../src/a.ts", "120000"),
    ]);
    expect(checkPatch(work, settings)).toEqual([]);
  });

  test("does not count existing content", () => {
    const before = side(`key: ${secret}\nold\n`);
    const file = { path: "a", before, after: side(`key: ${secret}\nnew\n`) };
    expect(checkPatch(patch([file]), settings)).toEqual([]);
  });

  test("accepts paths in protect.allow", () => {
    const protect = { ...settings.protect, allow: [".github/workflows/docs.yml"] };
    const attack = patch([added(".github/workflows/docs.yml")]);
    expect(checkPatch(attack, { ...settings, protect })).toEqual([]);
  });
});

test("a file that becomes executable is flagged, one that was executable is not", () => {
  const program = side("x", "100755");
  const files = [
    { path: "new", before: undefined, after: program },
    { path: "turned", before: side("x"), after: program },
    { path: "old", before: program, after: program },
  ];
  expect(flaggedModes(patch(files)).map(({ path }) => path)).toEqual(["new", "turned"]);
});
