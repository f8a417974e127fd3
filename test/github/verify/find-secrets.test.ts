import { expect, test } from "vitest";
import { createSecretFinder } from "../../../src/github/verify/find-secrets.ts";

const secret = "Tr0ub4dor&3-horse-staple";
const reversed = [...secret].reverse().join("");
const find = createSecretFinder([secret, "postgres", "12345678"]);
const bytes = Buffer.from(secret);
const pem = `-----BEGIN RSA PRIVATE KEY-----\n${"MIIEowIBAAKCAQEAx7".repeat(4)}\n`;

const hidden: [how: string, text: string][] = [
  ["as it is", `a ${secret} b`],
  ["in base64", Buffer.from(`{"key":"${secret}"}`).toString("base64")],
  ["in base64 for addresses", bytes.toString("base64url")],
  ["in hex", bytes.toString("hex").toUpperCase()],
  ["percent-encoded", encodeURIComponent(secret)],
  ["every character percent-encoded", bytes.toString("hex").replaceAll(/../g, "%$&")],
  ["escaped as in JavaScript", bytes.toString("hex").replaceAll(/../g, "\\x$&")],
  ["reversed", reversed],
  ["over several lines", secret.replace(/(.{6})/g, "$1\n")],
  ["in UTF-16", Buffer.from(secret, "utf16le").toString("latin1")],
  ["in base64 twice", Buffer.from(bytes.toString("base64")).toString("base64")],
];

test.each(hidden)("a known secret is found %s", (_, text) => {
  expect(find(`before ${text} after`)).toEqual(["a secret of this job"]);
});

const tokens: [what: string, text: string][] = [
  ["a GitHub token", `ghp_${"a1B2".repeat(9)}`],
  ["a GitHub token", `github_pat_${"a1B2_".repeat(9)}`],
  ["an Anthropic key", `sk-ant-api03-${"a1B2".repeat(9)}`],
  ["an OpenAI key", `sk-proj-${"a1B2".repeat(9)}`],
  ["an AWS key", "AKIAZ2J4K6L8M0N2P4Q6"],
  ["an npm token", `npm_${"a1B2".repeat(9)}`],
  ["a private key", pem],
  ["a Slack webhook", `https://hooks.slack.com/services/T0${"a1B2".repeat(6)}`],
  ["a SendGrid key", `SG.${"a".repeat(22)}.${"b1".repeat(21)}c`],
  ["a Shopify token", `shpat_${"a1b2".repeat(8)}`],
  ["a Databricks token", `dapi${"a1b2".repeat(8)}`],
  ["a Docker token", `dckr_pat_${"a1B2".repeat(7)}`],
  ["a Vercel token", `vcp_${"a1B2".repeat(6)}`],
  ["a Groq key", `gsk_${"a1B2".repeat(13)}`],
  ["a Figma token", `figd_${"a1B2".repeat(10)}`],
  ["a Vault token", `hvs.${"a1B2".repeat(6)}`],
  ["a Grafana token", `glsa_${"a1B2".repeat(8)}_0a1b2c3d`],
  ["an AWS secret key", `aws_secret_access_key = ${"a1B/".repeat(10)}`],
  ["a database address with a password", "postgres://shop:hunter2hunter@db.shop.io:5432/shop"],
];

test.each(tokens)("%s is known by its shape, also in base64", (what, text) => {
  expect(find(`key=${text}`)).toEqual([what]);
  expect(find(Buffer.from(`key=${text}`).toString("base64"))).toEqual([what]);
});

test.each([
  "AKIAIOSFODNN7EXAMPLE",
  'if (line === "-----BEGIN PRIVATE KEY-----") return;',
  "<div class='sk-fading-circle sk-circle-fade-delay-animation'>",
  "POSTGRES_PASSWORD=postgres, port 12345678",
  "risk-assessment-of-the-whole-repository-and-its-parts",
  "sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
])("%s is no secret", (text) => {
  expect(find(text)).toEqual([]);
});

test.each([
  "postgres://postgres:postgres@localhost:5432/test",
  "postgres://user:password@db.example.org/x",
  "mysql://root:rootroot@127.0.0.1/x",
  "redis://:$REDIS_PASSWORD@cache:6379",
  "mongodb://app:longpassword@mongo:27017",
  "aws_secret_access_key = wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY",
  `aws secret hash: ${"a1b2".repeat(16)}`,
  "The time 12345678:AA was short",
])("%j is no secret", (text) => expect(find(text)).toEqual([]));
