import { expect, test } from "vitest";
import { limitProblems, placeFindings, sourceError } from "../../src/sources/accept-source.ts";

const file = "a.json";
const refusal = { reason: "source", file, remedy: "Correct it." } as const;

test("the error lists every problem as file, line and column, with the remedy beside it", () => {
  const problems = [
    { file, line: 2, column: 3, message: "x is odd" },
    { file, message: "is empty" },
  ];
  expect(sourceError(problems, refusal)).toMatchObject({
    message: "a.json cannot be used:\na.json:2:3: x is odd\na.json: is empty",
    remedy: "Correct it.",
    reason: "source",
    problems,
  });
});

test("findings are placed in the order of the file", () => {
  const places = [
    { line: 2, column: 1 },
    { line: 1, column: 9 },
    { line: 1, column: 2 },
  ];
  const findings = places.map((_, index) => ({
    severity: "error" as const,
    path: [index],
    message: "is odd",
  }));
  const locate = ([index]: readonly PropertyKey[]) =>
    places[Number(index)] ?? { line: 0, column: 0 };
  expect(placeFindings(findings, { file, locate })).toEqual([
    { file, line: 1, column: 2, message: "[2] is odd" },
    { file, line: 1, column: 9, message: "[1] is odd" },
    { file, line: 2, column: 1, message: "[0] is odd" },
  ]);
});

test("what would steer a terminal or hide is made visible in every message", () => {
  const locate = () => ({ line: 1, column: 1 });
  const findings = [{ severity: "error" as const, path: ["a\u009b"], message: 'is "\u001b[2J\n"' }];
  expect(placeFindings(findings, { file, locate })[0]?.message).toBe(
    String.raw`["a\u{9b}"] is "\u{1b}[2J\u{a}"`,
  );
  expect(limitProblems([{ file, message: "\u202eevil" }], file)[0]?.message).toBe(
    String.raw`\u{202e}evil`,
  );
});

test("beyond fifty only the number is reported, and only fifty places are looked up", () => {
  const findings = Array.from({ length: 60 }, () => ({
    severity: "error" as const,
    path: [],
    message: "x",
  }));
  let lookups = 0;
  const locate = () => {
    lookups += 1;
    return { line: 1, column: 1 };
  };
  expect(placeFindings(findings, { file, locate }).slice(50)).toEqual([
    { file, message: "and 10 more" },
  ]);
  expect(lookups).toBe(50);
  const problems = findings.map(({ message }) => ({ file, message }));
  expect(limitProblems(problems, file)).toHaveLength(51);
  expect(limitProblems(problems.slice(10), file)).toHaveLength(50);
});
