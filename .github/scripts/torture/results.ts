import { readFileSync } from "node:fs";
import { matchesGlob, relative } from "node:path";
import type { Attack, Shown } from "./attacks.ts";

/** One test of a run. */
export interface TestOutcome {
  readonly file: string;
  readonly title: string;
  readonly status: "passed" | "failed" | "skipped" | "pending" | "todo" | "disabled";
  /** Why it failed: the messages of its errors, without their places. */
  readonly reasons: readonly string[];
  /** The measured value. */
  readonly figure: string | undefined;
  readonly seconds: number;
  /** The processor time of the test and of the programs it waited for. */
  readonly processorSeconds: number;
}

type JsonReport = {
  testResults: {
    name: string;
    status: string;
    message: string;
    assertionResults: {
      fullName: string;
      status: TestOutcome["status"];
      duration?: number | null;
      failureMessages?: string[] | null;
      meta?: { figure?: string; processorSeconds?: number };
    }[];
  }[];
};

/** Reads the report of Vitest's own JSON reporter. A file that could not be loaded is one failed test. */
export function readResults(path: string, root: string): TestOutcome[] {
  const { testResults } = JSON.parse(readFileSync(path, "utf8")) as JsonReport;
  return testResults.flatMap(({ name, status, message, assertionResults }) => {
    const file = relative(root, name);
    const outcomes = assertionResults.map((each) => ({
      ...{ file, title: each.fullName, status: each.status, figure: each.meta?.figure },
      reasons: (each.failureMessages ?? []).map(withoutStack),
      seconds: (each.duration ?? 0) / 1000,
      processorSeconds: each.meta?.processorSeconds ?? 0,
    }));
    const isBroken = status === "failed" && outcomes.every((each) => each.status !== "failed");
    return isBroken ? [...outcomes, { ...broken, file, title: message }] : outcomes;
  });
}

const withoutStack = (message: string) => message.split(/\n\s+at /, 1).join("");

const broken = {
  status: "failed",
  reasons: [],
  figure: undefined,
  seconds: 0,
  processorSeconds: 0,
} as const;

export type Verdict = "met" | "FAILED" | "not run";

export interface Line {
  readonly id: string;
  readonly verdict: Verdict;
  readonly measured: string;
}

/** The verdict of the tests in some files on a goal. Pure. */
export function judgeGoal(
  id: string,
  files: readonly string[],
  results: readonly TestOutcome[],
): Line {
  const own = results.filter(({ file }) => files.some((pattern) => matchesGlob(file, pattern)));
  return { id, verdict: verdictOf(own), measured: [countOf(own), ...figuresOf(own)].join("; ") };
}

/** What the tests of an attack say: that it fails, and that it succeeds without its defence. Pure. */
export function judgeAttack(
  { name, withstood, bites = withstood }: Attack,
  results: readonly TestOutcome[],
): Line {
  const [fails, succeeds] = [withstood, bites].map((shown) => resultsOf(shown, results));
  if (fails?.length === 0 || succeeds?.length === 0) {
    return { id: name, verdict: "FAILED", measured: "a test of this name is missing" };
  }
  const verdicts = [verdictOf(fails), verdictOf(succeeds)];
  const verdict = (["FAILED", "not run"] as const).find((each) => verdicts.includes(each)) ?? "met";
  const shownBy = bites === withstood ? "in the same" : `in ${count(succeeds, "test")}`;
  return {
    ...{ id: name, verdict },
    measured: `fails in ${count(fails, "test")}; succeeds without the defence ${shownBy}`,
  };
}

const count = (items: readonly unknown[] = [], noun: string) =>
  `${items.length} ${noun}${items.length === 1 ? "" : "s"}`;

const resultsOf = ({ file, title }: Shown, results: readonly TestOutcome[]) =>
  results.filter((each) => each.file === file && each.title.includes(title));

/** All threats, the tests that show them without naming them, and the attacks. */
interface KnownThreats {
  readonly threats: readonly string[];
  readonly shown: Readonly<Record<string, readonly Shown[]>>;
  readonly attacks: readonly Attack[];
}

/** What all tests say about each threat that they, or an attack, name: `T01` or `T01-T20`. Pure. */
export const judgeThreats = (
  results: readonly TestOutcome[],
  { threats, shown, attacks }: KnownThreats,
): Line[] =>
  threats.map((id) => {
    const own = attacks.filter((attack) => attack.threats.includes(id));
    const named = [...(shown[id] ?? []), ...own.map(({ withstood }) => withstood)];
    const found = [
      ...results.filter(({ title }) => threatsIn(title).includes(id)),
      ...named.flatMap((each) => resultsOf(each, results)),
    ];
    const isMissing = named.some((each) => resultsOf(each, results).length === 0);
    const bites = own.filter((attack) => judgeAttack(attack, results).verdict === "met");
    const measured = [
      countOf([...new Set(found)]),
      ...(isMissing ? ["a test of this name is missing"] : []),
      ...(bites.length > 0
        ? [`${count(bites, "attack")} shown to succeed without the defence`]
        : []),
    ];
    return { id, verdict: isMissing ? "FAILED" : verdictOf(found), measured: measured.join("; ") };
  });

/** The files that took longest, and the sum. On a busy machine only processor time is comparable. Pure. */
export function renderTimes(results: readonly TestOutcome[], most: number): string[] {
  const files = Object.entries(Object.groupBy(results, ({ file }) => file))
    .map(([file, own = []]) => ({ file, ...sumOf(own) }))
    .toSorted((one, other) => other.processorSeconds - one.processorSeconds);
  const line = (file: string, { seconds, processorSeconds }: ReturnType<typeof sumOf>) =>
    `${seconds.toFixed(0).padStart(7)} s ${processorSeconds.toFixed(0).padStart(9)} s  ${file}`;
  return [
    "   took   processor",
    ...files.slice(0, most).map((each) => line(each.file, each)),
    line(`all ${files.length} files, some side by side`, sumOf(results)),
  ];
}

const sumOf = (results: readonly TestOutcome[]) => ({
  seconds: results.reduce((sum, each) => sum + each.seconds, 0),
  processorSeconds: results.reduce((sum, each) => sum + each.processorSeconds, 0),
});

function threatsIn(title: string): string[] {
  const number = (text: string) => Number(text.slice(1));
  const name = (value: number) => `T${String(value).padStart(2, "0")}`;
  const ranges = Array.from(
    title.matchAll(/\b(T[0-6]\d)-(T[0-6]\d)\b/g),
    ([, from = "", to = ""]) =>
      Array.from({ length: number(to) - number(from) + 1 }, (_, index) =>
        name(number(from) + index),
      ),
  );
  return [...new Set([...(title.match(/\bT[0-6]\d\b/g) ?? []), ...ranges.flat()])];
}

function verdictOf(results: readonly TestOutcome[] = []): Verdict {
  if (results.some(({ status }) => status === "failed")) return "FAILED";
  return results.some(({ status }) => status === "passed") ? "met" : "not run";
}

function countOf(results: readonly TestOutcome[] = []): string {
  const withStatus = (wanted: string) => results.filter(({ status }) => status === wanted);
  const [passed, failed] = [withStatus("passed"), withStatus("failed")];
  const left = results.length - passed.length - failed.length;
  return [
    `${count(passed, "test")} passed`,
    ...(failed.length > 0 ? [`${failed.length} failed`] : []),
    ...(left > 0 ? [`${left} left out`] : []),
  ].join(", ");
}

const figuresOf = (results: readonly TestOutcome[]) => [
  ...new Set(results.flatMap(({ figure }) => (figure === undefined ? [] : [figure]))),
];
