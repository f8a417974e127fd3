import fc from "fast-check";
import { expect, test } from "vitest";
import { readAnswer } from "../../../src/autopilot/llm/read-answer.ts";

const value = { a: "{not} a } brace", b: { c: ["```"] }, d: 'quote " and \\' };
const json = JSON.stringify(value, null, 2);

test.each([
  ["alone", json],
  ["in a fence", `Here:\n\n\`\`\`json\n${json}\n\`\`\`\n`],
  ["in a tilde fence", `~~~\n${json}\n~~~`],
  ["in the second fence", `\`\`\`sh\nnpm test\n\`\`\`\n\`\`\`\n${json}\n\`\`\``],
  ["between prose", `I chose {this}.\n${json}\nGood luck }`],
])("an object %s is found", (_title, text) => {
  expect(readAnswer(text)).toEqual({ kind: "value", value });
});

test.each([
  ["", "the answer is empty"],
  ["I would rather not.", "the answer holds no JSON object"],
  [json.slice(0, -4), "the JSON object is incomplete or malformed"],
  ["[1, 2]", "the answer holds no JSON object"],
  ['{"__proto__": {"x": 1}}', "the JSON object is incomplete or malformed"],
  ["{".repeat(500_000), "the JSON object is incomplete or malformed"],
  [`{"a":${"[".repeat(200)}${"]".repeat(200)}}`, "the JSON object is incomplete or malformed"],
])("nothing is made of %.30j", (text, problem) => {
  expect(readAnswer(text)).toEqual({ kind: "unreadable", problem });
});

test("reading an answer never throws", () => {
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom(...'{}[]"\\`~:,a1 \n') }), (text) => {
      expect(["value", "unreadable"]).toContain(readAnswer(text).kind);
    }),
  );
});
