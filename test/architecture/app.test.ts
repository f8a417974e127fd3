import { dirname } from "node:path/posix";
import { expect, test } from "vitest";
import { findCircle, importsOf, isOwn, moduleOf } from "./imports.ts";

/** What the whole App may use of src: errors, formats, text, and what reaches the machine and GitHub. */
const base = ["src", "src/schema", "src/text", "src/platform", "src/github"];
const kept = ["app/access", "app/jobs", "app/store", "app/events"];
const acting = [...base, ...kept, "app/rules", "app/repositories", "app/runs"];

/**
 * Each folder of the App, lowest first, with the folders of the App and the modules of src it may import. `app` stands
 * for the files directly in it: they put everything together, and nothing imports them.
 */
const folders: Record<string, readonly string[]> = {
  "app/settings": base,
  "app/access": [...base, "src/sources"],
  "app/jobs": [...base, "app/access"],
  "app/rules": [...base, "src/core", "app/jobs"],
  "app/store": base,
  "app/events": [...base, "app/settings", "app/store"],
  "app/repositories": [...base, ...kept],
  "app/runs": [...base, ...kept, "app/rules", "app/repositories"],
  "app/pulls": acting,
  "app/commands": acting,
  "app/dashboard": [...acting, "src/views", "app/pulls"],
  "app/onboarding": [...acting, "src/scaffold"],
  "app/schedule": acting,
  "app/publish": [...acting, "src/autopilot", "src/journal", "src/session", "src/views"],
  "app/recovery": [...acting, "app/publish", "app/schedule"],
  "app/webhooks": [...base, "app/settings", "app/jobs"],
  "app/metrics": [...base, "app/store", "app/events", "app/webhooks"],
  "app/pages/frame": [...base, "src/views", "app/webhooks"],
  "app/pages/login": [
    ...base,
    "src/views",
    "app/settings",
    "app/store",
    "app/events",
    "app/webhooks",
    "app/pages/frame",
  ],
  "app/pages": [
    ...acting,
    "src/views",
    "app/settings",
    "app/webhooks",
    "app/pages/frame",
    "app/pages/login",
  ],
  "app/setup": [...base, "src/sources", "src/views", "app/settings"],
  "app/worker": [
    ...acting,
    "app/settings",
    "app/webhooks",
    "app/commands",
    "app/dashboard",
    "app/onboarding",
    "app/publish",
    "app/pulls",
    "app/recovery",
    "app/schedule",
  ],
  app: [
    ...acting,
    "app/settings",
    "app/webhooks",
    "app/metrics",
    "app/pages",
    "app/setup",
    "app/worker",
  ],
};

const imports = (await importsOf("app/**/*.ts")).filter(isOwn);
const placeOf = (path: string) => (path.startsWith("app/") ? dirname(path) : moduleOf(path));

test("every folder of the App is in the table", () => {
  const found = new Set(imports.map(({ file }) => dirname(file)));
  expect([...found].sort()).toEqual(Object.keys(folders).sort());
});

test.each(Object.entries(folders))("%s imports only what it may", (folder, allowed) => {
  const broken = imports
    .filter(({ file, target }) => dirname(file) === folder && placeOf(target) !== folder)
    .filter(({ target }) => !allowed.includes(placeOf(target)));
  expect(broken).toEqual([]);
});

test("in the table each folder comes after those it may import", () => {
  const order = Object.keys(folders);
  const broken = order.flatMap((folder, index) =>
    (folders[folder] ?? [])
      .filter((name) => name.startsWith("app") && order.indexOf(name) >= index)
      .map((name) => `${folder} may import ${name}`),
  );
  expect(broken).toEqual([]);
});

test("no import of the App goes round in a circle, types counted", () => {
  const inside = imports.filter(({ target }) => target.startsWith("app/"));
  expect(findCircle(inside)).toEqual([]);
});
