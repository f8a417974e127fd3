import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import { html } from "../../../src/views/html/html.ts";
import { pageStart, renderPage } from "../../../src/views/html/page.ts";
import { problemsOf } from "./check-page.ts";

const page = renderPage({ title: "A </title> of ours", body: html`<main><h1>Hello</h1></main>` });

test("a page begins as ours do, and is sound", () => {
  expect(page.startsWith(pageStart)).toBe(true);
  expect(problemsOf(page)).toEqual([]);
});

test("nothing but its one style is allowed, by digest", () => {
  const [, style = ""] = /<style>([\s\S]*?)<\/style>/.exec(page) ?? [];
  const digest = createHash("sha256").update(style).digest("base64");
  const [, policy] = /http-equiv="Content-Security-Policy" content="([^"]*)"/.exec(page) ?? [];
  expect(policy).toBe(
    `default-src 'none'; style-src 'sha256-${digest}'; img-src data:; base-uri 'none'; form-action 'none'`,
  );
});

test("it names no other file and runs nothing", () => {
  expect(page).not.toMatch(/<script|<img|<iframe|https?:|@import|url\(|\son[a-z]+=|\sstyle=/i);
});
