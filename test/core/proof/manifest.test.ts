import { expect, test } from "vitest";
import { isMixedManifest, oldSettingsIn } from "../../../src/core/proof/manifest.ts";

const merged = (old: object, head: object) =>
  JSON.parse(
    oldSettingsIn("parts/a/package.json", {
      old: JSON.stringify(old),
      head: JSON.stringify(head),
    }) ?? "{}",
  );

test("old scripts and settings of tools stand beside the packages of the work", () => {
  const old = { scripts: { test: "jest" }, jest: { bail: true }, dependencies: { a: "1" } };
  const head = {
    scripts: { test: "true", pretest: "sh fix.sh" },
    mocha: { grep: "x" },
    dependencies: { a: "2", b: "1" },
    devDependencies: { c: "1" },
  };
  expect(merged(old, head)).toEqual({
    scripts: { test: "jest" },
    jest: { bail: true },
    dependencies: { a: "2", b: "1" },
    devDependencies: { c: "1" },
  });
});

test("further entry points stay, those that were there lead where they led", () => {
  const old = { exports: { ".": "./a.js" }, imports: { "#up": "./up.js" } };
  const head = { exports: { ".": "./a.js", "./b": "./b.js" }, imports: { "#up": "./mock.js" } };
  expect(merged(old, head)).toEqual({
    exports: { ".": "./a.js", "./b": "./b.js" },
    imports: { "#up": "./up.js" },
  });
});

test("where only packages changed, the manifest is that of the work", () => {
  const head = '{ "type":"module", "dependencies": {"a":"2"} }';
  const old = '{ "type": "module", "dependencies": {} }';
  expect(oldSettingsIn("package.json", { old, head })).toBe(head);
});

test("a table of a TOML manifest belongs to its packages or to its settings", () => {
  const old =
    '[package]\nname = "a"\n\n[lib]\ntest = true\n\n[dependencies]\nb = "1"\n\n[lints]\nx = "deny"\n';
  const head =
    '[package]\nname = "a"\n\n[lib]\ntest = false\n\n[dependencies]\nb = "2"\n\n[dev-dependencies.c]\nversion = "1"\n';
  expect(oldSettingsIn("Cargo.toml", { old, head })).toBe(
    '[package]\nname = "a"\n\n[lib]\ntest = true\n\n[lints]\nx = "deny"\n[dependencies]\nb = "2"\n\n[dev-dependencies.c]\nversion = "1"\n',
  );
});

test("a plugin that a Python project registers for its tests is a setting", () => {
  const old = '[project]\nname = "a"\n';
  const head =
    '[project]\nname = "a"\ndependencies = ["b"]\n\n[project.entry-points.pytest11]\nx = "a.x"\n\n[tool.pytest.ini_options]\naddopts = "-k y"\n';
  expect(oldSettingsIn("pyproject.toml", { old, head })).toBe(
    '[project]\nname = "a"\ndependencies = ["b"]\n\n',
  );
});

test.each([
  ["tsconfig.json", "{}", '{"a":1}'],
  ["package.json", "{", "{}"],
  ["package.json", "[]", "{}"],
])("%s with %s has no parts to tell apart", (path, old, head) => {
  expect(oldSettingsIn(path, { old, head })).toBeUndefined();
});

test.each([
  ["pom.xml", true],
  ["api/build.gradle.kts", true],
  ["Gemfile", true],
  ["package.json", false],
  ["tsconfig.json", false],
])("%s mixes packages and settings: %s", (path, expected) => {
  expect(isMixedManifest(path)).toBe(expected);
});
