import { glob, readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { rules } from "../../../app/rules/rules.ts";
import { readManifest, renderManifest } from "../../../app/setup/manifest.ts";
import { createSystem } from "../../../src/platform/create-system.ts";

const manifest = await readManifest(createSystem());

test("the App subscribes to exactly the events of its rules", () => {
  const events = new Set(rules.map(({ event }) => event.split(".", 1)[0]));
  // GitHub sends these to every App; a manifest cannot list them.
  for (const always of ["installation", "installation_repositories"]) events.delete(always);
  expect(manifest.default_events).toEqual([...events].toSorted());
});

test("the App requests these permissions and no others (T35)", () => {
  expect(manifest.default_permissions).toEqual({
    actions: "write",
    checks: "write",
    contents: "write",
    issues: "write",
    metadata: "read",
    pull_requests: "write",
  });
});

test("the manifest has the App's addresses", () => {
  const addresses = {
    publicUrl: "https://ralph.example",
    doneUrl: "http://127.0.0.1:3000/setup/done",
  };
  expect(JSON.parse(renderManifest(manifest, addresses))).toMatchObject({
    public: false,
    hook_attributes: { url: "https://ralph.example/api/github/webhooks", active: true },
    redirect_url: "http://127.0.0.1:3000/setup/done",
    callback_urls: ["https://ralph.example/login/callback"],
  });
});

test("nothing merges, approves, or changes secrets, rules or hooks of a repository (T36)", async () => {
  const forbidden =
    /\/pulls\/[^"`]*\/(?:merge|reviews)\b|\}\/merges\b|\}\/(?:actions|dependabot|codespaces)\/secrets|\}\/protection\b|\}\/rulesets\/|\}\/hooks\b|mergePullRequest|PullRequestAutoMerge|addPullRequestReview|submitPullRequestReview/;
  const found: string[] = [];
  for await (const file of glob("{src,app}/**/*.ts")) {
    if (forbidden.test(await readFile(file, "utf8"))) found.push(file);
  }
  expect(found).toEqual([]);
});
