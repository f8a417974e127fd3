import { expect, test } from "vitest";
import { agentsMdTemplate, createAgentsMd } from "../../../src/views/documents/agents-md.ts";
import { isOnlyInserted, passedRun, spliceTwice } from "./splicing.ts";

const splice = (text: string | undefined, state = passedRun(["T-001"])) =>
  spliceTwice(createAgentsMd("write"), text, state);

test("a new file is the template with the first learnings", () => {
  expect(splice(undefined)?.slice(-260)).toMatchInlineSnapshot(`
    "sting Patterns

    ### Common Gotchas

    ---

    ## Technology Stack

    ---

    ## File Organization

    ---

    ## Recent Learnings

    ### 2026-01-25 14:30:59 - T-001: Title of T-001
    - Secrets need 32 characters

    ---

    *Last updated: 2026-01-25 14:30:59 UTC by Ralph orchestrator*
    "
  `);
});

test("without learnings no file is made and none is changed", () => {
  const state = passedRun(["T-001"], "## Changes\n- something");
  expect(splice(undefined, state)).toBeUndefined();
  expect(splice(agentsMdTemplate, state)).toBe(agentsMdTemplate);
});

const heading = "### 2026-01-25 14:30:59 - T-001: Title of T-001";

test.each([
  ["no section", "# Project\n\nRead this.\n"],
  ["no newline at the end", "# Project\n\nRead this."],
  ["an empty section", "# Project\n\n## Recent Learnings\n"],
  ["a section in the middle", "# P\n\n## Recent Learnings\n\n### Old\n- x\n\n## More\n- y\n"],
  ["the section in an example", "# P\n```\n## Recent Learnings\n```\n\n## Recent Learnings\n- x\n"],
])("into a file with %s the block is only inserted", (_, text) => {
  for (const file of [text, text.replaceAll("\n", "\r\n")]) {
    const spliced = splice(file) ?? "";
    expect(isOnlyInserted(file, spliced)).toBe(true);
    expect(spliced).toContain(heading);
    if (file.includes("\r")) expect(spliced).not.toMatch(/[^\r]\n/);
  }
});

test("a block goes to the end of its section", () => {
  const spliced = splice("# P\n\n## Recent Learnings\n\n### Old\n- x\n\n## More\n- y\n") ?? "";
  expect(spliced).toBe(
    `# P\n\n## Recent Learnings\n\n### Old\n- x\n\n${heading}\n- Secrets need 32 characters\n\n## More\n- y\n`,
  );
});

test("the last-updated line is the only text that is replaced", () => {
  const file = `# P\n\n## Recent Learnings\n\n---\n\n*Last updated: 2025-01-01 by Ralph orchestrator*\n`;
  const spliced = splice(file) ?? "";
  expect(spliced).toContain("*Last updated: 2026-01-25 14:30:59 UTC by Ralph orchestrator*\n");
  expect(spliced).not.toContain("2025-01-01");
  expect(spliced.indexOf(heading)).toBeLessThan(spliced.indexOf("---"));
});

test("later learnings are appended below earlier ones", () => {
  const spliced = splice(undefined, passedRun(["T-001", "T-002"])) ?? "";
  expect(spliced.indexOf("T-001")).toBeLessThan(spliced.indexOf("T-002"));
});

test("a title of a model is inert, like its learnings, and its block is known again", () => {
  const state = passedRun(["T-001"], "## Learnings\n- see [here](https://evil.example)");
  const title = "fixes #12 for @team <!-- ![x](https://evil.example/x.png)";
  const tasks = state.tasks.map((each) => ({ ...each, task: { ...each.task, title } }));
  const spliced = splice(undefined, { ...state, tasks }) ?? "";
  expect(spliced).toContain(
    "T-001: fixes `#12` for `@team` `<!--` `![x](https://evil.example/x.png)`\n",
  );
  expect(spliced).toContain("- see `[here](https://evil.example)`\n");
});

test.each(["propose", "off"] as const)(
  "with `memory.learnings: %s` the file is left alone",
  (mode) => {
    expect(spliceTwice(createAgentsMd(mode), agentsMdTemplate, passedRun(["T-001"]))).toBe(
      agentsMdTemplate,
    );
  },
);

test("a list that a model wrote writes nothing (T07)", () => {
  const written = passedRun(["T-001"]);
  const session = { ...written.session, list_author: "model" as const };
  expect(splice(agentsMdTemplate, { ...written, session })).toBe(agentsMdTemplate);
  expect(splice(agentsMdTemplate, written)).not.toBe(agentsMdTemplate);
});
