import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { Ajv } from "ajv";
import addFormats from "ajv-formats";
import { describe, expect, test } from "vitest";
import { hasProgram } from "../support/project/programs.ts";

const folder = new URL("../../schemas/", import.meta.url);
const names = readdirSync(folder);
const read = (name: string) => readFileSync(new URL(name, folder), "utf8");

describe("printed schemas are read by other programs", () => {
  test.each(names)("%s by ajv in strict mode", (name) => {
    const ajv = new Ajv({ strict: true, allowUnionTypes: true });
    addFormats.default(ajv);
    expect(() => ajv.compile(JSON.parse(read(name)))).not.toThrow();
  });

  /** Python's jsonschema uses `re`, which knows no `\\p`, and names of groups in another form. */
  const script = `
import json, re, sys
def walk(part, bad):
    if isinstance(part, dict):
        pattern = part.get("pattern")
        if isinstance(pattern, str):
            try: re.compile(pattern)
            except re.error as error: bad.append(f"{pattern}: {error}")
        for value in part.values(): walk(value, bad)
    if isinstance(part, list):
        for value in part: walk(value, bad)
for name in sys.argv[1:]:
    bad = []
    walk(json.load(open(name, encoding="utf-8")), bad)
    for fault in bad: print(name, fault)
`;

  test.skipIf(!hasProgram("python3"))("their patterns by Python", () => {
    const { stdout, stderr } = spawnSync("python3", ["-c", script, ...names], { cwd: folder });
    expect(`${stdout}${stderr}`).toBe("");
  });
});
