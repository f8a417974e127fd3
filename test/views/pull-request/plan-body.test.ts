import { expect, test } from "vitest";
import { renderPlanBody } from "../../../src/views/pull-request/plan-body.ts";
import { parsePullMarker } from "../../../src/views/pull-request/pull-marker.ts";

const marker = { run: "20260125-143052-a7b3c9", item: "abc", report: "def" };

test("the body of a document shows the request, the next steps and the sources", () => {
  const body = renderPlanBody({
    requested: {
      priority_item: "Repair the login form",
      description: "The form loses its text.",
      rationale: "Nobody can log in.",
      acceptance_criteria: ["Run `npm test` - exits with code 0"],
    },
    marker,
    issue: 7,
    trace: [{ source: "reports/may.md, lines 3 to 4" }],
    document: "tasks/prd-login-form.md",
  });
  expect(parsePullMarker(body)).toEqual(marker);
  expect(body).toMatchInlineSnapshot(`
    "**Please read \`tasks/prd-login-form.md\`.** Nothing is built or proved yet.

    ### What was asked

    **Repair the login form**

    The form loses its text.

    Nobody can log in.

    - Run \`npm test\` - exits with code 0

    ### How to continue

    1. Edit \`tasks/prd-login-form.md\` on this branch, and no other file. Lines such as \`- FR-1: …\` become tasks.
    2. Run the autopilot workflow with \`resume-from\` set to the number of the run that opened this pull request, or run \`git pull\` and \`ralph autopilot --resume\` on the machine where it started.
    3. The work is pushed to this branch and this pull request. To reject it, close the pull request.

    ### Where it comes from

    - \`reports/may.md, lines 3 to 4\`
    - Run \`20260125-143052-a7b3c9\`

    Part of #7.

    <!-- ralph:run:20260125-143052-a7b3c9 item:abc report:def -->
    "
  `);
});

test("text of models is escaped", () => {
  const body = renderPlanBody({
    requested: {
      priority_item: "@all fixes #1",
      description: "<!-- ralph:run:x --> [x](http://e.vil)",
    },
    marker,
    document: "tasks/`x`.md",
  });
  expect(body).not.toMatch(/(?<!`[^`\n]*)(?:@all|http:|<!-- ralph:run:x)/);
});
