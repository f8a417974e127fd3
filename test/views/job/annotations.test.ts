import fc from "fast-check";
import { expect, test } from "vitest";
import { annotationsOf, redGates, renderAnnotations } from "../../../src/views/job/annotations.ts";
import { agentEnd, gateEnd, passing, runOf, start, task } from "../../support/builders/session.ts";
import { hostileText } from "./hostile-text.ts";
import { runnerCommand } from "./runner-commands.ts";

const root = "/work/shop";
const of = (output: string, files?: readonly string[]) =>
  annotationsOf([{ gate: "types", output }], { root, ...(files && { files }) });
const pathsOf = (...found: Parameters<typeof of>) => of(...found).shown.map(({ file }) => file);

test("each place becomes one command, and the rest is counted", () => {
  const output = [
    "src/a.ts(3,5): error TS2322: 100% wrong: a, b",
    "src/a.ts(3,5): error TS2322: 100% wrong: a, b",
    ...Array.from({ length: 12 }, (_, at) => `src/b.ts:${at + 1}: error: no ${at}`),
    "lib/c,d.py:9: DeprecationWarning: old",
  ].join("\n");
  expect(renderAnnotations(of(output), "web").join("\n")).toMatchInlineSnapshot(`
    "::error file=web/src/a.ts,line=3,col=5,title=Gate types::TS2322: 100%25 wrong: a, b
    ::error file=web/src/b.ts,line=1,title=Gate types::no 0
    ::error file=web/src/b.ts,line=2,title=Gate types::no 1
    ::error file=web/src/b.ts,line=3,title=Gate types::no 2
    ::error file=web/src/b.ts,line=4,title=Gate types::no 3
    ::error file=web/src/b.ts,line=5,title=Gate types::no 4
    ::error file=web/src/b.ts,line=6,title=Gate types::no 5
    ::error file=web/src/b.ts,line=7,title=Gate types::no 6
    ::error file=web/src/b.ts,line=8,title=Gate types::no 7
    ::error file=web/src/b.ts,line=9,title=Gate types::no 8
    ::warning file=web/lib/c%2Cd.py,line=9,title=Gate types::DeprecationWarning: old
    · 3 more errors: see the logs of the gates"
  `);
});

test("all gates of a step share the limit", () => {
  const output = Array.from({ length: 7 }, (_, at) => `src/b.ts:${at + 1}: no ${at}`).join("\n");
  const gates = [
    { gate: "types", output },
    { gate: "lint", output: output.replaceAll("no", "not") },
  ];
  const { shown, left } = annotationsOf(gates, { root });
  expect(shown).toHaveLength(10);
  expect(shown.at(-1)?.gate).toBe("lint");
  expect(left).toEqual({ errors: 4, warnings: 0 });
});

test("only places inside the project count", () => {
  const output = [
    `${root}/src/a.ts:1: in`,
    "./src/b.ts:1: in",
    "/work/shopping/x.ts:1: out",
    "../x.ts:1: out",
    "src/../../x.ts:1: out",
    "/etc/x.conf:1: out",
    ".git/hooks/x.sh:1: out",
    "node_modules/x/index.js:1: out",
  ].join("\n");
  expect(pathsOf(output)).toEqual(["src/a.ts", "src/b.ts"]);
});

test("with a list of files a path is matched by its ending, when only one file has it", () => {
  const files = ["src/a.ts", "web/src/b.ts", "x/c_test.go", "y/d_test.go", "z/d_test.go"];
  const output = [
    "src/a.ts:1: in",
    "src/b.ts:1: in a folder below",
    "    c_test.go:2: got 1",
    "    d_test.go:2: could be two",
    "src/new.ts:1: no file",
  ].join("\n");
  expect(pathsOf(output, files)).toEqual(["src/a.ts", "web/src/b.ts", "x/c_test.go"]);
});

test("red gates are those of the newest tree of tasks that did not pass", () => {
  const state = runOf(
    [task("T-001"), task("T-002")],
    [
      ...passing("T-001"),
      start("T-002", "t1+"),
      agentEnd("T-002", { tree: "t2" }),
      gateEnd("T-002", { gate: "old", key: "key-old", tree: "t1", status: "failed" }),
      gateEnd("T-002", { gate: "test", tree: "t2", status: "failed" }),
      gateEnd("T-002", { gate: "lint", key: "key-lint", tree: "t2" }),
      { type: "task_failed", task: "T-002", message: "No pass" },
    ],
  );
  expect(redGates(state).map(({ gate }) => gate)).toEqual(["test"]);
});

test("whatever a gate printed, the runner executes annotations only, inside the project", () => {
  const line = fc.tuple(hostileText, hostileText).map(([a, b]) => `src/${a}.ts:3:4: ${b}`);
  fc.assert(
    fc.property(fc.array(fc.oneof(line, hostileText)), hostileText, (lines, gate) => {
      const found = annotationsOf([{ gate, output: lines.join("\n") }], { root });
      for (const text of renderAnnotations(found)) {
        const command = runnerCommand(text);
        expect(text).not.toMatch(/[\n\r]/);
        if (!command) continue;
        expect(["error", "warning"]).toContain(command.name);
        expect(command.properties.file).not.toMatch(/^\/|^$|(?:^|\/)\.\.(?:\/|$)/);
        expect(command.data).not.toMatch(/##\[/);
      }
    }),
  );
});
