import { globSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import * as z from "zod";
import { Config } from "../../../src/schema/config/config.ts";
import { laterKeys, laterTaskKeys } from "../../../src/schema/config/later-keys.ts";
import { checkPrd } from "../../../src/schema/tasks/check-prd.ts";
import { Task } from "../../../src/schema/tasks/prd.ts";
import { findLaterKeys } from "../../../src/session/open/later-keys.ts";
import { configWith } from "../../support/builders/config.ts";

type Node = {
  properties?: Record<string, Node>;
  additionalProperties?: Node | boolean;
  items?: Node;
  anyOf?: Node[];
};

/** Every key below a schema, as paths; names of records are left out. */
function keysOf(node: Node, path: readonly string[] = []): string[] {
  const inner = [node, ...(node.anyOf ?? [])].flatMap(({ items, additionalProperties: rest }) => [
    ...(items ? keysOf(items, path) : []),
    ...(typeof rest === "object" ? keysOf(rest, path) : []),
  ]);
  const named = [node, ...(node.anyOf ?? [])].flatMap(({ properties = {} }) =>
    Object.entries(properties).flatMap(([key, value]) => {
      const own = [...path, key];
      return [own.join("."), ...keysOf(value, own)];
    }),
  );
  return [...new Set([...named, ...inner])];
}

const schemaOf = (schema: z.ZodType) =>
  z.toJSONSchema(schema, { target: "draft-7", io: "input" }) as Node;
const keys = keysOf(schemaOf(Config));

/** All code that could read a key; schemas only describe them. */
const code = globSync(["src/**/*.ts", "app/**/*.ts"], {
  cwd: new URL("../../..", import.meta.url).pathname,
})
  .filter((path) => !path.startsWith("src/schema/"))
  .map((path) => readFileSync(new URL(`../../../${path}`, import.meta.url), "utf8"))
  .join("\n");
const isRead = (key: string) => new RegExp(`\\b${key.split(".").at(-1)}\\b`).test(code);

const isLater = (path: string) =>
  laterKeys.some(({ key }) => path === key || path.startsWith(`${key}.`));

test("every key of the configuration is read somewhere, or is named as one without an effect", () => {
  expect(keys.filter((key) => !isRead(key) && !isLater(key))).toEqual([]);
});

test("every key without an effect is one of the schema", () => {
  expect(laterKeys.map(({ key }) => key).filter((key) => !keys.includes(key))).toEqual([]);
  const fields = Object.keys(Task.shape);
  expect(laterTaskKeys.filter(({ key }) => !fields.includes(key))).toEqual([]);
});

test("every field of a task is read somewhere, or is named as one without an effect", () => {
  const isNamed = (key: string) => laterTaskKeys.some((each) => each.key === key);
  expect(Object.keys(Task.shape).filter((key) => !isRead(key) && !isNamed(key))).toEqual([]);
});

test("a key without an effect that is set causes a warning, and one at its default does not", () => {
  expect(findLaterKeys(configWith({}))).toEqual([]);
  const config = configWith({
    agents: { fix: { model: "opus" } },
    limits: { post_verify_iterations: 3 },
    ui: { browser_use: { enabled: true }, frontend_paths: ["web/**"] },
    autopilot: { research: { enabled: true } },
  });
  expect(findLaterKeys(config).map(({ path }) => path.join("."))).toEqual(
    [
      ...["agents.fix", "limits.post_verify_iterations", "ui.frontend_paths"],
      "ui.browser_use.enabled",
      "autopilot.research",
    ].filter((key) => laterKeys.some((each) => each.key === key)),
  );
});

test("a field of a task without an effect causes a warning", () => {
  const task = {
    ...{ id: "T-001", title: "t", description: "d", acceptanceCriteria: ["a"] },
    ...{ priority: 1, passes: false, affectsFrontend: true, skill: "css" },
  };
  const { findings } = checkPrd({ project: "p", description: "d", tasks: [task] });
  const named = findings.filter(({ message }) => message.startsWith("has no effect"));
  expect(named.map(({ path }) => path.at(-1))).toEqual(laterTaskKeys.map(({ key }) => key));
});
