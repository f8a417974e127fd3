import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createOutputKeeper } from "../../../src/platform/process/output-keeper.ts";
import { createRedactor, renderCut } from "../../../src/platform/secrets/redact.ts";

const secret = 'p4ss/w+rd \u20ac"x';
const redact = createRedactor([secret]);
const base64 = (text: string) => Buffer.from(text).toString("base64");

describe("a secret is replaced as a whole (T19, T26)", () => {
  test.for([
    ["as it is", `a ${secret} b`, "a *** b"],
    ["in hex", Buffer.from(secret).toString("hex"), "***"],
    ["in capital hex", Buffer.from(secret).toString("hex").toUpperCase(), "***"],
    ["in a URL", `?p=${encodeURIComponent(secret)}&q`, "?p=***&q"],
    ["all in percent signs", Buffer.from(secret).toString("hex").replace(/../g, "%$&"), "***"],
    ["inside JSON", JSON.stringify({ secret }), '{"secret":"***"}'],
    ["reversed", [...secret].reverse().join(""), "***"],
    ["twice", `${secret}${secret}`, "******"],
    ["beside shorter values", `x${secret.slice(0, 5)}y`, `x${secret.slice(0, 5)}y`],
  ] as const)("%s", ([, text, expected]) => {
    expect(redact(text)).toBe(expected);
  });

  test.for([0, 1, 2])("in base64 behind %i other bytes", (offset) => {
    const text = base64(`${"x".repeat(offset)}${secret}--`);
    const clean = redact(text);
    expect(clean).toContain("***");
    expect(Buffer.from(clean.replace("***", ""), "base64").toString()).not.toContain("p4ss");
    expect(clean.length).toBeLessThan(14);
  });

  test("line by line when it has many", () => {
    const line = "b3BlbnNzaC1rZXktdjEAAAAABG5vbmU";
    const key = `-----BEGIN KEY-----\n${line}\n-----END KEY-----\n`;
    expect(createRedactor([key])(`1: ${line}\n`)).toBe("1: ***\n");
  });

  test("when two of them overlap", () => {
    expect(createRedactor(["abcdefgh", "fghijklm"])("1abcdefghijklm2")).toBe("1***2");
  });

  test("but values under six characters would match everywhere, and are left", () => {
    expect(createRedactor(["true", "12345", ""])("true 12345")).toBe("true 12345");
  });

  test("wherever it appears, nothing of it is left", () => {
    const value = fc.string({ minLength: 6, maxLength: 30, unit: "grapheme" });
    fc.assert(
      fc.property(value, fc.string(), fc.string(), (hidden, before, after) => {
        fc.pre(!hidden.includes("*"));
        const clean = createRedactor([hidden])(`${before}${hidden}${after}`);
        expect(clean).not.toContain(hidden);
      }),
    );
  });
});

describe("tokens known by their shape", () => {
  const digits = "A1b2C3d4E5f6G7h8I9j0";
  test.for([
    `ghp_${digits}`,
    `ghs_${digits}`,
    `github_pat_${digits}`,
    `sk-ant-api03-${digits}`,
    `sk-${digits}`,
    "AKIAIOSFODNN7EXAMPLE",
    "xoxb-123456789012-abc",
  ])("%s", (token) => {
    expect(createRedactor([])(`key=${token}, next`)).toBe("key=***, next");
  });

  test.for(["task-1234567890123456", "sk-short", "a ghp_ b", "desk-lamps-for-everybody-here"])(
    "%s is ordinary text",
    (text) => {
      expect(createRedactor([])(text)).toBe(text);
    },
  );
});

describe("where output was cut", () => {
  const cut = renderCut(99);

  test.for([
    [
      "the first half of a known secret goes",
      `a b ${secret.slice(0, 9)}${cut}c d`,
      `a b ***${cut}*** d`,
    ],
    ["so does the second half", `a ${cut}${secret.slice(4)} d`, `a ${cut}*** d`],
    ["and half a token by its shape", `a ghp_A1b2${cut}C3d4E5 d`, `a ***${cut}*** d`],
    ["text that touches no cut stays", `plain ${cut} text`, `plain ${cut} text`],
  ])("%s", ([, text = "", expected]) => {
    expect(redact(text)).toBe(expected);
  });

  test("no limit leaves a piece of a secret in what an output keeper kept", () => {
    const text = `before ${secret} between ${secret} after the second one`;
    for (let limit = 1; limit < 40; limit++) {
      const keeper = createOutputKeeper(limit);
      keeper.push(Buffer.from(text));
      const clean = redact(keeper.text());
      for (let from = 0; from + 3 <= secret.length; from++) {
        expect(clean).not.toContain(secret.slice(from, from + 3));
      }
    }
  });
});

test.for([
  ["tokens that never end", "sk-".repeat(1 << 20)],
  ["characters of the secret", "p4ss/w+rd ".repeat(400_000)],
  ["cut marks", renderCut(1).repeat(60_000)],
  ["nothing special", "0123456789abcdef".repeat(1 << 18)],
])("four megabytes of %s are read to their end (T62)", ([, text = ""]) => {
  const redact = createRedactor([secret, "p4ss/w+rd p4ss/w+rd p4ss/w+rd!"]);
  expect(redact(`${text} ${secret}`)).not.toContain(secret);
});
