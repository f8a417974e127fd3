import { readdir, readFile } from "node:fs/promises";
import { describe, expect, test } from "vitest";
import { renderSchemas } from "../.github/scripts/printed-schemas.ts";

const folder = new URL("../schemas/", import.meta.url);
const schemas = renderSchemas();

type Node = { [key: string]: unknown };

test("schemas/ holds the printed schemas and nothing else", async () => {
  expect((await readdir(folder)).sort()).toEqual([...schemas.keys()].sort());
});

describe.each([...schemas])("%s", (name, text) => {
  const schema: Node = JSON.parse(text);

  test("is what the code prints; if not, run `npm run schemas`", async () => {
    expect(await readFile(new URL(name, folder), "utf8")).toBe(text);
  });

  test("is draft-07 with a title and a description", () => {
    expect(schema).toMatchObject({
      $schema: "http://json-schema.org/draft-07/schema#",
      title: expect.any(String),
      description: expect.any(String),
    });
  });

  test("describes every key", () => {
    expect(undescribed(schema, "")).toEqual([]);
  });
});

test("every object of the configuration is closed, but for maps of names", () => {
  const config: Node = JSON.parse(schemas.get("config.schema.json") ?? "");
  expect(openObjects(config, "")).toEqual([
    "/services",
    "/ui/robot/variables",
    "/pricing",
    "/skills",
  ]);
});

function undescribed(node: Node, path: string): string[] {
  return childrenOf(node).flatMap(([name, child]) => {
    const below = undescribed(child, `${path}/${name}`);
    return name === "*" || child.description ? below : [`${path}/${name}`, ...below];
  });
}

function openObjects(node: Node, path: string): string[] {
  const isOpen = node.type === "object" && node.additionalProperties !== false;
  const below = childrenOf(node).flatMap(([name, child]) => openObjects(child, `${path}/${name}`));
  return isOpen ? [path, ...below] : below;
}

/** Keys by name; entries of lists and maps as `*`. */
function childrenOf({ properties, items, additionalProperties }: Node): [string, Node][] {
  const entries = [items, additionalProperties].filter((child) => typeof child === "object");
  return [
    ...Object.entries((properties ?? {}) as Record<string, Node>),
    ...entries.map((child): [string, Node] => ["*", child as Node]),
  ];
}
