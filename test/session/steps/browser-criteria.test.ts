import { readdirSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { thorough } from "../../setup/sampled.ts";
import { task } from "../../support/builders/session.ts";
import { createProject } from "../../support/project/project.ts";
import { chromium } from "../../support/services/chromium.ts";
import { webAppFiles, webAppServices } from "../../support/services/web-app.ts";

const criteria = [
  "agent-browser: open `/login` - form renders",
  "agent-browser: open `/` - Users heading is shown",
  'agent-browser: click "Save" - "Name is required" appears',
  'agent-browser: fill "Name" with "Bob"',
  'agent-browser: click "Save" - redirects to /saved',
  "agent-browser: open / - no Saved heading",
  "agent-browser: click `Home` - it feels quick",
  "agent-browser: open /missing - page loads",
  "agent-browser: console shows no errors",
];

describe.skipIf(!chromium)("browser criteria", () => {
  test("are executed on one page, with a picture of each", async () => {
    await using project = await createProject({
      tasks: [task("T-001", { acceptanceCriteria: criteria.slice(0, 7) })],
      files: webAppFiles(),
      config: { services: await webAppServices() },
    });
    const { exitCode, facts, stdout } = await project.run();
    expect(exitCode, stdout).toBe(0);
    const results = facts("criteria_end")[0]?.results ?? [];
    expect(results.map(({ verdict, detail }) => `${verdict}: ${detail}`)).toEqual([
      'proved: the page shows "form"',
      'proved: the page shows "Users heading"',
      'proved: the page shows "Name is required"',
      "proved: done",
      expect.stringMatching(/^proved: the address is .*\/saved$/),
      'proved: the page does not show "Saved heading"',
      "to_judge: done; the reviewer judges what follows the dash",
    ]);
    expect(results.every(({ picture, evidence }) => picture && evidence)).toBe(true);
    expect(project.evidence(results[1]?.evidence)).toContain('- heading "Users"');
    expect(readdirSync(`${project.root}/.ralph-session/pids`)).toEqual([]);
  });

  thorough("fail with what the page shows instead", async () => {
    const wanted = ['agent-browser: click "Sav"', ...criteria.slice(7)];
    await using project = await createProject({
      tasks: [task("T-001", { acceptanceCriteria: wanted })],
      files: webAppFiles(),
      config: { services: await webAppServices(), limits: { max_iterations: 1 } },
    });
    const { facts } = await project.run();
    const results = facts("criteria_end")[0]?.results ?? [];
    expect(results.map(({ verdict, detail }) => `${verdict}: ${detail}`)).toEqual([
      "proved: done",
      "failed: /missing answered 404",
      expect.stringMatching(
        /^failed: the console shows errors: Failed to load resource.*(400|404)/,
      ),
    ]);
  });
});
