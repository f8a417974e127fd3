import { expect, test } from "vitest";
import { secretValues } from "../../../src/platform/secrets/secret-values.ts";

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
