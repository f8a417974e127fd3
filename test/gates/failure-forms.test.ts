import { describe, expect, test } from "vitest";
import { failureIn } from "../../src/gates/failure-forms.ts";
import { fingerprints } from "../../src/gates/fingerprint.ts";
import { outputs } from "./gate-outputs.ts";

describe("the failures of a tool are named", () => {
  test.each(outputs)("$tool", ({ output, expected }) => {
    expect(fingerprints(output)).toEqual(expected);
  });
});

describe("an edit elsewhere and another run do not make a failure new", () => {
  test.each(outputs)("$tool", ({ output }) => {
    const later = output
      .replaceAll(/(?<=[:(\s])\d+(?=[:,])|(?<=\d[:,])\d+(?=[):\s])/g, (at) =>
        String(Number(at) + 7),
      )
      .replaceAll(/\d+(\.\d+)?(?= ?m?s\b)/g, "987")
      .replaceAll("/tmp/work-a1b2/", "/tmp/work-zz99/");
    expect(later).not.toBe(output);
    expect(fingerprints(later)).toEqual(fingerprints(output));
  });
});

test("a diagnostic keeps its position apart from what is compared", () => {
  const before = { file: "", line: "" };
  expect(failureIn("./src/a.go:3:5: undefined: x", before)).toEqual({
    text: "src/a.go: undefined: x",
    at: "3:5",
  });
  expect(failureIn("everything is fine", before)).toBeUndefined();
});
