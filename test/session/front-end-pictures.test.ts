import { copyFileSync, readdirSync, readFileSync } from "node:fs";
import { describe, expect } from "vitest";
import { thorough } from "../setup/sampled.ts";
import { task } from "../support/builders/session.ts";
import { createProject } from "../support/project/project.ts";
import { chromium } from "../support/services/chromium.ts";
import { webAppFiles, webAppServices } from "../support/services/web-app.ts";

const paint = "sed -i 's/color: #223/color: #b00; background: #fec/' index.html";
/** It changes what the page shows, and says nothing about the task. */
const addsUser = 'POST /api/users {"name":"Bob"} returns 201';
const tests = [{ name: "dashboard", action: 'click_tab("Dashboard")', expected: "Sales figures" }];

describe.skipIf(!chromium)("a task that changes what a browser shows", () => {
  thorough(
    "has pictures before and after, and a red test the page it saw, in the report",
    async () => {
      await using project = await createProject({
        tasks: [
          task("T-001", { affectsFrontend: true, acceptanceCriteria: ["The page is red"] }),
          task("T-002", { affectsFrontend: true, acceptanceCriteria: [addsUser] }),
        ],
        agent: { implementation: `if [ "$task" = T-001 ]; then ${paint}; else work; fi; claim` },
        files: webAppFiles(),
        config: {
          services: await webAppServices(),
          ui: { agent_browser: { enabled: true, tests } },
        },
      });
      const { facts, stdout } = await project.run();
      const seen = facts("page_seen").map(({ task, when, page }) => `${task} ${when} ${page}`);
      expect(seen, stdout).toEqual([
        "T-001 before /",
        "T-001 after /",
        "T-002 before /",
        "T-002 after /",
      ]);
      const [before, after, next, last] = facts("page_seen").map(({ picture }) => picture?.sha256);
      expect(before).not.toBe(after);
      expect([next, last]).toEqual([after, after]);
      expect(readdirSync(`${project.root}/.ralph-session/artifacts/screenshots`)).toContain(
        "001-t-001-before.png",
      );
      const file = `${project.folder}/report.html`;
      await project.ralph("report", "--html", file);
      const page = readFileSync(file, "utf8");
      expect(page.match(/<img alt="[^"]*"/g)).toEqual([
        '<img alt="/, before"',
        '<img alt="/, after"',
        '<img alt="/, unchanged"',
        '<img alt="dashboard: the page when the test failed (picture made by the project&#39;s own code)"',
      ]);
      if (process.env.KEEP_REPORT) copyFileSync(file, process.env.KEEP_REPORT);
      expect(page).toContain("nothing on the page matches");
      expect(page).toContain("it shows:");
      expect(page).toContain("nearest:");
    },
  );
});
