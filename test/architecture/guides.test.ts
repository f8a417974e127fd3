import { describe, expect, test } from "vitest";
import { compileWith, stepsOf } from "../support/project/guide.ts";

describe.each(["src/dialects/README.md", ".github/CONTRIBUTING.md"])("the guide in %s", (guide) => {
  const steps = stepsOf(guide);

  test("leads to sources that compile", async () => {
    expect(steps.length).toBeGreaterThan(0);
    expect(await compileWith(steps)).toBe("");
  });
});

// The lines of one file belong together; what is left out is a whole file of the guide.
const dialect = stepsOf("src/dialects/README.md");
test.each([...new Set(dialect.map(({ path }) => path))])(
  "a dialect that lacks what the guide says of %s does not compile",
  async (left) => {
    expect(await compileWith(dialect.filter(({ path }) => path !== left))).not.toBe("");
  },
);

const level = stepsOf(".github/CONTRIBUTING.md").filter(({ text }) => text.includes("nightly"));
test.each(level.map((step) => [step.text.split("\n")[1], step] as const))(
  "a gate level without `%s` does not compile",
  async (_, left) => {
    expect(await compileWith(level.filter((step) => step !== left))).not.toBe("");
  },
);
