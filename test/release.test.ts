import { execFileSync } from "node:child_process";
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { ImportKind } from "esbuild";
import { expect, test } from "vitest";
import { renderLauncher } from "../.github/scripts/build-launcher.ts";
import { readDist, renderChecksums } from "../.github/scripts/release/dist.ts";
import { createGit } from "../.github/scripts/release/git.ts";
import { nameInCheckout } from "../.github/scripts/release/own-name.ts";
import { pushTags } from "../.github/scripts/release/push-tags.ts";
import { changesOf, isNewer, requireVersion } from "../.github/scripts/release/version.ts";
import { actionReference } from "../src/scaffold/write/published-addresses.ts";
import { thorough } from "./setup/sampled.ts";
import { createReleaseProject } from "./support/project/release.ts";
import { lintWorkflow } from "./support/workflows/workflow-lint.ts";

const home = actionReference.split("@")[0] ?? "";

test("a release is two commits on the tagged one: its build, and workflows that call exactly that build", async () => {
  await using project = await createReleaseProject("1.2.3");
  const { commits } = project.publish("v1.2.3");
  const { git } = project;
  expect(git("rev-parse", `${commits.dist}~1`)).toBe(git("rev-parse", "main"));
  expect(git("rev-parse", `${commits.release}~1`)).toBe(commits.dist);
  const added = git("diff", "--name-only", "--diff-filter=A", "main", commits.dist);
  expect(added.split("\n")).toEqual(["dist/action.js", "dist/cli.js"]);
  expect(git("ls-tree", commits.dist, "dist/cli.js")).toMatch(/^100755 /);
  const changed = git("diff", "--name-only", commits.dist, commits.release).split("\n");
  expect(changed).toEqual([".github/workflows/autopilot.yml", ".github/workflows/ralph.yml"]);
  for (const path of changed) {
    const calls = readFileSync(path, "utf8").split(`uses: ${actionReference}`).length - 1;
    const workflow = git("show", `${commits.release}:${path}`);
    expect(workflow.match(/uses: ada\/ralph@.*/g)).toEqual(
      Array(calls).fill(`uses: ada/ralph@${commits.dist} # v1.2.3`),
    );
    expect(await lintWorkflow(workflow)).toEqual([]);
  }
  expect(project.remote("rev-parse", "v1.2.3", "v1")).toBe(
    `${commits.release}\n${commits.release}`,
  );
  expect(git("status", "--porcelain")).toBe("");
});

test("every file of a release names the repository it is released from, and its build knows it too", async () => {
  await using project = await createReleaseProject("1.2.3");
  const { commits } = project.publish("v1.2.3");
  const { git } = project;
  const clone = join(project.folder, "clone");
  project.gitIn(project.folder, "clone", "-q", project.root, clone);
  expect(nameInCheckout(createGit(clone), "ada/ralph")).toContain("README.md");
  const built = git("show", `${commits.dist}:README.md`);
  expect(built).toBe(
    execFileSync("cat", [join(clone, "README.md")])
      .toString()
      .trim(),
  );
  expect(built).toContain("uses: ada/ralph/.github/workflows/ralph.yml@v1");
  expect(built).not.toContain(home);
  expect(git("show", "main:README.md")).toContain(`${home}/.github/workflows/ralph.yml@v1`);
});

thorough("a release that is repeated has the same commits and moves nothing", async () => {
  await using project = await createReleaseProject("1.2.3");
  const first = project.publish("v1.2.3");
  expect(first.pushed).toEqual({ moved: ["v1.2.3", "v1"], kept: [] });
  await using elsewhere = await project.clone();
  const second = elsewhere.publish("1.2.3");
  expect(second.commits).toEqual(first.commits);
  expect(second.pushed).toEqual({ moved: [], kept: [] });
  expect(second.notes).toBe(first.notes);
});

test.each([
  ["a tag with a message", ["tag", "-a", "-m", "first", "v1.2.3"]],
  ["a plain tag", ["tag", "v1.2.3"]],
])("%s on the commit is moved to its release", async (_, tag) => {
  await using project = await createReleaseProject("1.2.3");
  project.git(...tag);
  project.git("push", "-q", "origin", "v1.2.3");
  const { commits } = project.publish("v1.2.3");
  expect(project.remote("rev-parse", "v1.2.3")).toBe(commits.release);
});

test("a tag on another commit is refused, and nothing moves", async () => {
  await using project = await createReleaseProject("1.2.3");
  project.git("push", "-q", "origin", "main~1:refs/tags/v1.2.3");
  expect(() => project.publish("v1.2.3")).toThrow(/v1\.2\.3 is at \w{12}: neither/);
  expect(project.remote("tag", "--list")).toBe("v1.2.3");
});

thorough("the major tag moves to newer versions and never back", async () => {
  await using project = await createReleaseProject("1.10.0");
  const newer = project.publish("v1.10.0");
  project.setVersion("1.9.1");
  const older = project.publish("v1.9.1");
  expect(older.pushed).toEqual({ moved: ["v1.9.1"], kept: ["v1"] });
  expect(project.remote("rev-parse", "v1", "v1.9.1")).toBe(
    `${newer.commits.release}\n${older.commits.release}`,
  );
  project.setVersion("1.10.1");
  const newest = project.publish("v1.10.1");
  expect(project.remote("rev-parse", "v1")).toBe(newest.commits.release);
});

test("tags are moved together or not at all", async () => {
  await using project = await createReleaseProject("1.2.3");
  project.refuse("refs/tags/v1");
  expect(() => project.publish("v1.2.3")).toThrow(/v1 is refused/);
  expect(project.remote("tag", "--list")).toBe("");
});

test("a tag that moves between the look and the push is left alone", async () => {
  await using project = await createReleaseProject("1.2.3");
  const commit = project.git("rev-parse", "main");
  const release = project.git("rev-parse", "main~1");
  const git = createGit(project.root);
  const racing = {
    ...git,
    text: (args: readonly string[]) => {
      if (args[0] === "push") project.git("push", "-q", "origin", "main:refs/tags/v1");
      return git.text(args);
    },
  };
  const wanted = { version: requireVersion("v1.2.3"), commit, release };
  expect(() => pushTags(racing, wanted)).toThrow(/stale info/);
  expect(project.remote("rev-parse", "v1")).toBe(commit);
  expect(project.remote("tag", "--list")).toBe("v1");
});

test("a checkout that is not the tagged commit is refused", async () => {
  await using project = await createReleaseProject("1.2.3");
  project.write("src/new.ts", "");
  expect(() => project.publish("v1.2.3")).toThrow(/src/);
  expect(project.remote("tag", "--list")).toBe("");
});

test("files that name another version are all named at once", async () => {
  await using project = await createReleaseProject("1.2.3");
  expect(() => project.publish("v2.0.0")).toThrow(
    expect.objectContaining({
      problems: [
        { file: "package.json", message: "says 1.2.3, the release is 2.0.0" },
        { file: "package-lock.json", message: "says 1.2.3, the release is 2.0.0" },
        { file: "CHANGELOG.md", message: 'has no section "## 2.0.0" with text' },
        {
          file: "src/scaffold/write/published-addresses.ts",
          message: "names v1, the release is of v2",
        },
      ],
    }),
  );
});

test("a release is not released again, and main with a build on it is refused", async () => {
  await using project = await createReleaseProject("1.2.3");
  const { commits } = project.publish("v1.2.3");
  project.git("checkout", "-q", commits.release);
  expect(() => project.publish("v1.2.3")).toThrow(/cannot be released/);
});

test("a build other than the announced one is refused", async () => {
  await using project = await createReleaseProject("1.2.3");
  project.writeDist("action.js", "something else\n");
  expect(() => project.publish("v1.2.3")).toThrow(/not the ones that were built/);
  expect(project.remote("tag", "--list")).toBe("");
});

test("a release without a token that may push workflows says which one is missing", async () => {
  await using project = await createReleaseProject("1.2.3");
  expect(() => project.publish("v1.2.3", { token: "" })).toThrow(/RELEASE_TOKEN/);
});

test("the text of a release is the changelog's section and the checksums", async () => {
  await using project = await createReleaseProject("1.2.3");
  const { notes } = project.publish("v1.2.3");
  expect(notes).toMatch(/^- What 1\.2\.3 brings\.\n/);
  expect(notes).toMatch(/^[0-9a-f]{64} {2}dist\/action\.js$/m);
  expect(notes).not.toContain("Unreleased");
});

test("it says how many ways of gaming tests passed, and how many honest commits were refused", async () => {
  await using project = await createReleaseProject("1.2.3");
  const { notes } = project.publish("v1.2.3");
  expect(notes).toMatch(/^Of \d+ ways of gaming tests .*, and \d+ pass unnoticed/m);
  expect(notes).toMatch(/^Of \d+ honest commits .*the proof refuses \d+\./m);
  expect(notes).toContain("](https://github.com/ada/ralph/blob/v1.2.3/docs/proof.md#");
});

test.each(["1.2", "v1.2.3-rc.1", "01.2.3", "latest", "v1.2.3\n"])("%j is no version", (text) => {
  expect(() => requireVersion(text)).toThrow(/is no version/);
});

test("versions are compared by their numbers, and a section ends where the next begins", () => {
  const newer = (a: string, b: string) => isNewer(requireVersion(a), requireVersion(b));
  expect([newer("1.10.0", "1.9.9"), newer("1.9.9", "1.10.0"), newer("1.0.0", "1.0.0")]).toEqual([
    true,
    false,
    false,
  ]);
  const text = "# C\n\n## Unreleased\n\n- x\n\n## 1.2.3 (2026-01-02)\n\n- a\n- b\n\n## 1.2.2\n";
  expect(changesOf(text, requireVersion("1.2.3"))).toBe("- a\n- b");
  expect(changesOf(text, requireVersion("1.2.2"))).toBeUndefined();
  expect(changesOf(text, requireVersion("1.2.30"))).toBeUndefined();
});

thorough("builds are the same in any folder, and only the browser's is larger than 3 MB", () => {
  const place = mkdtempSync(join(tmpdir(), "ralph-build-"));
  try {
    const builds = ["one", "another-place"].map((name) => buildIn(join(place, name)));
    const [one = [], other = []] = builds.map(readDist);
    expect(one.map(({ path }) => path).filter((path) => !path.includes("/parts/"))).toEqual([
      "dist/NOTICE",
      "dist/action.js",
      "dist/browser.cjs",
      "dist/cage-forwarder.js",
      "dist/cli.js",
      "dist/main.js",
      "dist/omc.d.ts",
      "dist/omc.js",
      "dist/scripted-agent.js",
    ]);
    const importer = one.find(({ content }) => content.includes(`"./provider-library.js"`));
    expect(importer?.path).toMatch(/^dist\/parts\//);
    expect(renderChecksums(other)).toBe(renderChecksums(one));
    for (const folder of builds) {
      for (const file of readdirSync(folder, { recursive: true, encoding: "utf8" })) {
        // Playwright is in the one that only browser tests start.
        const most = file === "browser.cjs" ? 6_000_000 : 3_000_000;
        expect.soft(statSync(join(folder, file)).size, file).toBeLessThanOrEqual(most);
      }
    }
  } finally {
    rmSync(place, { recursive: true });
  }
});

test("the job that may write needs nothing that is installed: its script imports Node's own modules and ours", () => {
  const seen = new Set<string>();
  const visit = (file: string): void => {
    if (seen.has(file)) return;
    seen.add(file);
    for (const [, target = ""] of readFileSync(file, "utf8").matchAll(/from "([^"]+)"/g)) {
      if (target.startsWith(".")) visit(join(dirname(file), target));
      else expect.soft(target, file).toMatch(/^node:/);
    }
  };
  visit(".github/scripts/release.ts");
  expect(seen).toContain(".github/scripts/release/publish-release.ts");
});

test("the command loads Node's modules for a run before it sets flags for which Node has no compiled code", () => {
  const output = (entryPoint: string, ...imports: [path: string, kind: ImportKind][]) => ({
    ...{ entryPoint, bytes: 1, inputs: {}, exports: [] },
    imports: imports.map(([path, kind]) => ({ path, kind })),
  });
  const launcher = renderLauncher({
    inputs: {},
    outputs: {
      "main.js": output(
        "src/cli/main.ts",
        ["node:fs", "import-statement"],
        ["later.js", "dynamic-import"],
      ),
      "working.js": output("src/cli/working.ts", ["shared.js", "import-statement"]),
      "shared.js": output("", ["node:util", "import-statement"]),
      "later.js": output("src/later.ts", ["node:http", "import-statement"]),
    },
  });
  expect(launcher).toContain('for (const name of ["node:fs","node:util"]) load(name);');
  expect(launcher.indexOf("load(name)")).toBeLessThan(launcher.indexOf("setFlagsFromString"));
});

/** Builds a copy of the sources; only the installed packages are shared. */
function buildIn(folder: string): string {
  const scripts = ["build.ts", "build-launcher.ts", "build-programs.ts"].map(
    (name) => `.github/scripts/${name}`,
  );
  for (const path of ["package.json", "tsconfig.json", "src", ...scripts]) {
    cpSync(path, join(folder, path), { recursive: true });
  }
  mkdirSync(join(folder, "node_modules/.bin"), { recursive: true });
  for (const name of readdirSync("node_modules").filter((each) => !each.startsWith("."))) {
    const target = new URL(`../node_modules/${name}`, import.meta.url).pathname;
    symlinkSync(target, join(folder, "node_modules", name));
  }
  execFileSync(process.execPath, [".github/scripts/build.ts"], { cwd: folder });
  return join(folder, "dist");
}
