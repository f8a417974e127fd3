import { expect, test } from "vitest";
import { renderSecretForms } from "../../../src/platform/secrets/secret-values.ts";

test("every usual form of a secret is there, longest first, none too short", () => {
  const forms = renderSecretForms(["hunter2/"]);
  expect(forms).toContain("hunter2/");
  expect(forms).toContain("68756e746572322f");
  expect(forms).toContain("hunter2%2F");
  expect(forms).toContain("/2retnuh");
  expect(forms.map(({ length }) => length)).toEqual(
    forms.map(({ length }) => length).toSorted((a, b) => b - a),
  );
  expect(forms.every(({ length }) => length >= 6)).toBe(true);
});

test.for([0, 1, 2])("base64 behind %i bytes holds one of the forms", (offset) => {
  const forms = renderSecretForms(["hunter2/"]);
  const text = Buffer.from(`${"-".repeat(offset)}hunter2/...`).toString("base64");
  expect(forms.some((form) => text.includes(form))).toBe(true);
});

test("values that are too short have no forms", () => {
  expect(renderSecretForms(["12345", ""])).toEqual([]);
});
