import { readFileSync } from "node:fs";
import { Ajv } from "ajv";
import addFormats from "ajv-formats";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { canonicalChecksum } from "../../src/schema/session-files/checksum.ts";

const read = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), "utf8");
const published = (name: string) => read(`test/fixtures/specification/${name}`);

/** What is wrong with a value by a printed schema. */
function errorsBy(schema: string, value: unknown): unknown[] {
  const ajv = new Ajv({ strict: true, allowUnionTypes: true, allErrors: true });
  addFormats.default(ajv);
  const check = ajv.compile(JSON.parse(read(`schemas/${schema}.schema.json`)));
  return check(value) ? [] : (check.errors ?? []).map(({ instancePath }) => instancePath);
}

describe("complete examples of the specifications fit the printed schemas", () => {
  test.each([
    ["ralph.yml", "config"],
    ["minimal.yml", "config"],
    ["prd.json", "prd"],
    ["session.json", "session"],
    ["analysis.json", "analysis"],
    ["run-record.json", "run-record"],
    ["omc/ralph-state.json", "omc-ralph-state"],
    ["omc/ultrawork-state.json", "omc-ultrawork-state"],
    ["omc/ralph-verification.json", "omc-verification"],
    ["agent-teams/failures.json", "agent-teams-failures"],
    ["agent-teams/metrics.json", "agent-teams-metrics"],
  ])("%s is a valid %s", (name, schema) => {
    expect(errorsBy(schema, parse(published(name)))).toEqual([]);
  });

  test("each line of timeline.jsonl is a valid timeline event", () => {
    const lines = published("timeline.jsonl").trim().split("\n");
    expect(lines.flatMap((line) => errorsBy("timeline-event", JSON.parse(line)))).toEqual([]);
  });

  test("task-status.json is one with its checksum, which the text leaves out after twelve characters", () => {
    const status = JSON.parse(published("task-status.json"));
    expect(errorsBy("task-status", status)).toEqual(["/checksum"]);
    const whole = { ...status, checksum: canonicalChecksum(status) };
    expect(errorsBy("task-status", whole)).toEqual([]);
  });

  test("the configuration for compound lacks git, which the same text requires", () => {
    expect(errorsBy("config", parse(published("compound.yml")))).toContain("");
  });
});
