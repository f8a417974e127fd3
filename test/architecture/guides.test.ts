import { afterAll, expect } from "vitest";
import { thorough } from "../setup/sampled.ts";
import { GuideCopy, stepsOf } from "../support/project/guide.ts";

const copy = new GuideCopy();
afterAll(() => copy[Symbol.dispose]());

const guides = ["src/dialects/README.md", ".github/CONTRIBUTING.md", "app/README.md"];
thorough("all guides together lead to sources that compile", async () => {
  const steps = guides.map(stepsOf);
  for (const each of steps) expect(each.length).toBeGreaterThan(0);
  expect(await copy.compile(steps.flat())).toBe("");
});

// The lines of one file belong together; what is left out is a whole file of the guide.
const dialect = stepsOf("src/dialects/README.md");
thorough.each([...new Set(dialect.map(({ path }) => path))])(
  "a dialect that lacks what the guide says of %s does not compile",
  async (left) => {
    expect(await copy.compile(dialect.filter(({ path }) => path !== left))).not.toBe("");
  },
);

const level = stepsOf(".github/CONTRIBUTING.md").filter(({ text }) => text.includes("nightly"));
thorough.each(level.map((step) => [step.text.split("\n")[1], step] as const))(
  "a gate level without `%s` does not compile",
  async (_, left) => {
    expect(await copy.compile(level.filter((step) => step !== left))).not.toBe("");
  },
);

const trigger = stepsOf("app/README.md");
const triggerTest = "test/app/rules/milestone.test.ts";
const isRule = ({ path }: { path: string }) => path === "app/rules/rules.ts";
const needed = trigger.filter((step) => !isRule(step) && step.path !== triggerTest);
thorough.each(needed.map((step) => [step.path, step] as const))(
  "a trigger of the App without its lines in %s does not compile",
  async (_, left) => {
    expect(await copy.compile(trigger.filter((step) => step !== left))).not.toBe("");
  },
);

thorough("the guide's test of a trigger passes, and fails without its rule", async () => {
  expect(await copy.test(trigger, triggerTest)).toBe("");
  const withoutRule = trigger.filter((step) => !isRule(step));
  expect(await copy.test(withoutRule, triggerTest)).toContain("1 failed");
});
