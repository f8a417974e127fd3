import { expect, test } from "vitest";
import { renderSecretForms, secretValues } from "../../../src/platform/secrets/secret-values.ts";

test.for([
  "GITHUB_TOKEN",
  "NPM_TOKEN_RO",
  "ANTHROPIC_API_KEY",
  "OPENAI_APIKEY",
  "AWS_SECRET_ACCESS_KEY",
  "CLIENT_SECRET",
  "DB_PASSWORD",
  "PGPASSWORD",
  "SMTP_PASS",
  "GHTOKEN",
  "MYSQL_PWD",
  "CLAUDE_CODE_OAUTH_TOKEN",
  "X_OAUTH_Y",
  "token",
])("%s looks secret", (name) => {
  expect(secretValues({ [name]: " value \n" })).toEqual(["value"]);
});

test.for([
  "PATH",
  "PWD",
  "OLDPWD",
  "KEYBOARD",
  "MONKEY",
  "SSL_KEY_FILE",
  "SSH_AUTH_SOCK",
  "TOKENIZERS_PARALLELISM",
  "ACTIONS_ID_TOKEN_REQUEST_URL",
])("%s does not", (name) => {
  expect(secretValues({ [name]: "value" })).toEqual([]);
});

test("unset and empty variables have no value", () => {
  expect(secretValues({ A_TOKEN: undefined, B_TOKEN: "" })).toEqual([]);
});

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
