import { expect, test } from "vitest";
import type { CriterionResult } from "../../src/core/state/event.ts";
import { type CriteriaDeps, checkCriteria } from "../../src/gates/criteria.ts";
import { createTestSystem, type TestSystem } from "../support/project/system.ts";
import { gateDeps } from "./shell-deps.ts";

const trees: Record<string, Record<string, string>> = {
  base: { "old.py": "JWT_SECRET = 1", "both.py": "a" },
  now: { "old.py": "JWT_SECRET = 1", "both.py": "a b", "new.py": "token" },
};

async function criteriaDeps(
  system: TestSystem,
  commands: CriteriaDeps["commands"],
): Promise<CriteriaDeps & { kept: string[] }> {
  const kept: string[] = [];
  return {
    ...(await gateDeps(system)),
    kept,
    commands,
    readBlob: async (tree, path) => {
      const content = trees[tree]?.[path];
      return content === undefined ? undefined : Buffer.from(content);
    },
    keepEvidence: async (text, bytes) => ({ sha256: String(kept.push(text)), bytes }),
  };
}

/** Checks one criterion: its result, and the evidence that was kept. */
async function check(
  text: string,
  commands: CriteriaDeps["commands"] = "run",
): Promise<CriterionResult & { kept: string[] }> {
  await using system = await createTestSystem();
  const deps = await criteriaDeps(system, commands);
  const results = await checkCriteria(deps, { criteria: [text], tree: "now", base: "base" });
  const [result] = results;
  if (!result) throw new Error("no result");
  return { ...result, kept: deps.kept };
}

test.each([
  ["File `new.py` exists", "proved", "new.py exists"],
  ["File `old.py` exists", "held", "old.py exists, and did so before"],
  ["File `gone.py` exists", "failed", "gone.py is not a file of the tree"],
  ["File `new.py` contains `token`", "proved", "new.py contains the text"],
  ["File `both.py` contains `b`", "proved", "both.py contains the text"],
  ["File `old.py` contains `JWT_SECRET`", "held", "old.py contains the text, and did so before"],
  ["File `new.py` contains `secret`", "failed", "new.py does not contain the text"],
  ["File `gone.py` contains `x`", "failed", "gone.py is not a file of the tree"],
  ["File `../new.py` exists", "to_judge", "for the reviewer"],
  ["POST /api/login returns 200", "to_judge", "needs a running service"],
  ["agent-browser: open `/` - renders", "to_judge", "needs a running service"],
  ["It is pleasant to use", "to_judge", "for the reviewer"],
])("%s: %s", async (text, verdict, detail) => {
  expect(await check(text)).toMatchObject({ number: 1, text, verdict, detail, kept: [] });
});

test("the detail of a failed npm script says what is wrong, not what npm always says", async () => {
  const said = [
    'npm error Missing script: "nope"',
    ...["npm error", "npm error To see a list of scripts, run:", "npm error   npm run"],
    "npm error A complete log of this run can be found in: /home/ada/.npm/_logs/2026-debug-0.log",
  ];
  const { detail } = await check(
    `Run \`printf '${said.join("\\n")}'; exit 1\` - exits with code 0`,
  );
  expect(detail).toBe('exit code 1: npm error Missing script: "nope"');
});

test("the detail of a failed command names files below the project root", async () => {
  const { detail } = await check('Run `echo "$PWD/a.c:1: bad"; exit 1` - exits with code 0');
  expect(detail).toBe("exit code 1: a.c:1: bad");
});

test.each([
  ["no-such-program --now", true],
  ["./not-yet-written.sh", undefined],
  ["false", undefined],
])("`%s`: whether it could not be started is %s", async (command, notStarted) => {
  const result = await check(`Run \`${command}\` - exits with code 0`);
  expect(result.verdict).toBe("failed");
  expect(result.not_started).toBe(notStarted);
});

test("a command that succeeds proves its criterion, with evidence", async () => {
  const result = await check("Run `echo secret out; echo err >&2` - exits with code 0");
  expect(result).toMatchObject({
    kind: "command",
    verdict: "proved",
    detail: "exit code 0",
    evidence: { sha256: "1", bytes: 15 },
    kept: ["$ echo *** out; echo err >&2\n*** out\nerr\n\n[exit code 0]\n"],
  });
});

test("a command that fails says how, on one line", async () => {
  const result = await check(
    "Run `printf 'a\\nb\\n\\033[31mc\\033[0m\\n\\nd\\n'; exit 3` - exits with code 0",
  );
  expect(result).toMatchObject({ verdict: "failed", detail: "exit code 3: b | c | d" });
  expect(result.kept).toHaveLength(1);
});

test("a command that does not exist fails its criterion", async () => {
  const result = await check("Run `no-such-program-here` succeeds");
  expect(result.verdict).toBe("failed");
  expect(result.detail).toMatch(/^exit code 127: .*no-such-program-here/);
});

test("criteria are checked one after another and numbered from 1", async () => {
  await using system = await createTestSystem();
  const deps = await criteriaDeps(system, "run");
  const criteria = ["Run `touch made` succeeds", "Nice", "Run `test -f made` succeeds"];
  const results = await checkCriteria(deps, { criteria, tree: "now", base: "base" });
  expect(results.map(({ number, verdict }) => [number, verdict])).toEqual([
    [1, "proved"],
    [2, "to_judge"],
    [3, "proved"],
  ]);
});

test("a command that is to be left alone is not run, and left to the reviewer", async () => {
  const result = await check("Run `echo ran` - exits with code 0", "leave");
  expect(result).toMatchObject({
    ...{ kind: "command", verdict: "to_judge", kept: [] },
    detail: "not run: a model wrote the command, there is no sandbox",
  });
  expect(await check("File `new.py` exists", "leave")).toMatchObject({ verdict: "proved" });
});
