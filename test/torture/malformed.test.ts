import fc from "fast-check";
import { expect, test } from "vitest";
import { RalphError } from "../../src/error.ts";
import { parseConfig } from "../../src/sources/config-file.ts";
import { parseTaskFile } from "../../src/sources/task-file.ts";

const config = `version: "1"
task_source: { type: prd_json, path: .ralph/prd.json }
gates:
  full:
    - { name: test, cmd: "npm test", timeout_seconds: 300 }
git: { base_branch: main }
limits: { max_iterations: 5, budget_usd: 2.5 }
sandbox: { mode: auto, network: { mode: cage, allow: [docs.example.com] } }
`;
const tasks = JSON.stringify(
  {
    project: "Words",
    branchName: "ralph/words",
    description: "d",
    tasks: [
      {
        ...{ id: "T-001", title: "Add", description: "x", priority: 1, passes: false },
        acceptanceCriteria: ["File `a.txt` exists"],
      },
    ],
  },
  null,
  2,
);

/** Pieces that parsers stumble over (V10, T60, T61). */
const pieces = [
  ...[
    "\0",
    "\ufeff",
    "\ud800",
    "\u202e",
    "\r",
    "\t",
    '"',
    "{",
    "}",
    "[",
    "]",
    ":",
    "&a",
    "*a",
    "<<: *a",
    "!!js/function x",
  ],
  ...[
    "1e999",
    "-0",
    "0x10",
    "null",
    "~",
    "__proto__: 1",
    '"__proto__": {}',
    '"constructor": {"prototype": {}}',
    ",",
    "---\n",
    "#",
    "'",
    "|",
    ">",
  ],
  ...[
    "[".repeat(3000),
    "{a: ".repeat(1000),
    "a: &a [x]\nb: *a\n",
    "x".repeat(70_000),
    "\n".repeat(5000),
  ],
];

type Edit = { at: number; cut: number; piece: string };
const edits = fc.array(
  fc.record({ at: fc.nat(10_000), cut: fc.nat(40), piece: fc.constantFrom("", ...pieces) }),
  { minLength: 1, maxLength: 3 },
);

const broken = (text: string, changes: readonly Edit[]) =>
  changes.reduce((whole, { at, cut, piece }) => {
    const start = at % (whole.length + 1);
    return whole.slice(0, start) + piece + whole.slice(start + cut);
  }, text);

/** What is wrong with how a reader refused a file; undefined for a good refusal, or none. */
function complaintOf(read: () => unknown, file: string): string | undefined {
  try {
    read();
    return undefined;
  } catch (error) {
    if (!(error instanceof RalphError)) return `no error of ralph: ${error}`;
    if (!error.message.includes(file)) return `names no file: ${error.message}`;
    return error.remedy ? undefined : `no remedy: ${error.message}`;
  }
}

test.for([
  ["ralph.yml", config, parseConfig],
  ["prd.json", tasks, parseTaskFile],
] as const)(
  "a broken %s is refused with its name and a remedy, whatever broke it (G08, T60, T61)",
  ([file, text, parse], { task: { meta } }) => {
    let longestMs = 0;
    let count = 0;
    fc.assert(
      fc.property(edits, (changes) => {
        const bytes = Buffer.from(broken(text, changes));
        const began = performance.now();
        const complaint = complaintOf(() => parse(bytes, file), file);
        longestMs = Math.max(longestMs, performance.now() - began);
        count += 1;
        expect(complaint).toBeUndefined();
      }),
      { numRuns: Math.max(500, Number(process.env.FC_RUNS ?? 0)) },
    );
    meta.figure = `${count} broken ${file}, at most ${Math.round(longestMs)} ms each`;
  },
);
