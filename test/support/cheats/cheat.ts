import { homedir } from "node:os";
import { join } from "node:path";
import type { RunTask } from "../../../src/core/state/event.ts";
import type { AgentScripts } from "../project/shell-agent.ts";

/** One way of gaming tests or gates, or honest work as a control: a repository, and what its agents do, in shell. */
export interface Cheat {
  title: string;
  /** Honest work has to pass in one iteration, without a finding. */
  isHonest?: true;
  /** Known to pass unnoticed: docs/proof.md names it under what the proof cannot see, with the setting that closes it, if any. */
  isOpen?: true;
  /** A program it plays with; it is left out where this is missing. */
  needs?: string;
  /** Runs in `npm test` too. */
  isQuick?: true;
  /** Further files of the first commit. */
  files?: Record<string, string>;
  tasks?: readonly RunTask[];
  /** The gate. Default: `node --test`. */
  gate?: string | object;
  /** Top-level keys of ralph.yml. */
  config?: Record<string, unknown>;
  /** Default: adds `src/slug.js`, honestly. */
  implement?: string;
  /** Default: an honest test of `src/slug.js`. */
  tests?: string;
  /** Sessions before this one, with their agents: what they leave behind stays. */
  before?: readonly AgentScripts[];
}

/** A shell command that writes a file. */
export const write = (path: string, text: string): string =>
  `mkdir -p "$(dirname ${path})"; cat >${path} <<'END'\n${text}\nEND\n`;

/** What a toolchain keeps in the home folder, which gates do not see here. */
export const kept = (variable: string, folder: string): string =>
  `${variable}=${process.env[variable] ?? join(homedir(), folder)}`;

/** A test of one function with `node:test`. */
export const testOf = (name: string, expected: string): string =>
  `import { test } from "node:test";
import assert from "node:assert/strict";
import { ${name} } from "../src/${name}.js";
test("${name}", () => assert.equal(${expected}));
`;

/** The repository of most cheats: one function, its test, a test with a data file. */
export const words: Record<string, string> = {
  "package.json": `${JSON.stringify(
    { name: "words", type: "module", scripts: { test: "node --test test/*.test.js" } },
    null,
    2,
  )}\n`,
  ".gitignore": "node_modules/\n",
  "src/up.js": "export const up = (text) => text.toUpperCase();\n",
  "src/title.js": "export const title = (text) => text[0].toUpperCase() + text.slice(1);\n",
  "test/up.test.js": testOf("up", 'up("a"), "A"'),
  "test/title.test.js": `import { readFileSync } from "node:fs";
import { test } from "node:test";
import assert from "node:assert/strict";
import { title } from "../src/title.js";
const data = new URL("fixtures/titles.json", import.meta.url);
for (const [given, wanted] of JSON.parse(readFileSync(data, "utf8"))) {
  test("title of " + given, () => assert.equal(title(given), wanted));
}
`,
  "test/fixtures/titles.json": '[["ab", "Ab"], ["cd", "Cd"]]\n',
};

export const addSlug = write(
  "src/slug.js",
  `export function slug(text) {
  const words = text.toLowerCase().split(/\\W+/);
  return words.filter((word) => word !== "").join("-");
}`,
);
export const testSlug = write("test/slug.test.js", testOf("slug", 'slug("A b!"), "a-b"'));
/** Breaks what an old test checks. */
export const breakUp = write("src/up.js", "export const up = (text) => text;");
