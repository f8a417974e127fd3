import { readFileSync } from "node:fs";
import fc from "fast-check";
import { expect, test } from "vitest";
import { RalphError } from "../../src/error.ts";
import { parseConfig } from "../../src/sources/config-file.ts";

const text = readFileSync(new URL("../fixtures/specification/ralph.yml", import.meta.url), "utf8");

test("the full example of the specification is read without a remark", () => {
  const { config, warnings } = parseConfig(Buffer.from(text), "ralph.yml");
  expect(warnings).toEqual([]);
  expect(config).toMatchObject({
    services: { backend: { port: 8000, health: ["/health", "/api/system/health"] } },
    gates: { build: [{ name: "mypy" }, { name: "tsc" }], full: [{}, { fatal: false }, {}] },
    ui: { agent_browser: { enabled: true }, robot: { variables: { TIMEOUT: "30s" } } },
    agents: { review: { model: "haiku", timeout: 1800 } },
    limits: { ui_fix_iterations: 10 },
    autopilot: { enabled: true, analysis: { provider: "anthropic", recent_days: 7 } },
    pr: { body_template: expect.stringContaining("{task_summary}") },
  });
});

/** What hands and editors do to a file: cut it, repeat or swap parts, type something into it. */
const mutation = fc.oneof(
  fc.record({ kind: fc.constant("cut"), at: fc.nat(text.length) }),
  fc.record({ kind: fc.constant("drop"), at: fc.nat(text.length), size: fc.nat(40) }),
  fc.record({ kind: fc.constant("repeat"), at: fc.nat(text.length), size: fc.nat(200) }),
  fc.record({
    kind: fc.constant("type"),
    at: fc.nat(text.length),
    what: fc.oneof(
      fc.constantFrom("\t", ": ", "- ", "*x", "&x ", "<<: ", '"', "'", "[", "{", "!t ", "```\n"),
      fc.string({ maxLength: 5 }),
    ),
  }),
);

function mutate(given: string, change: { kind: string; at: number; size?: number; what?: string }) {
  const { kind, at, size = 0, what = "" } = change;
  const [before, after] = [given.slice(0, at), given.slice(at)];
  if (kind === "cut") return before;
  if (kind === "drop") return before + after.slice(size);
  return before + (kind === "repeat" ? after.slice(0, size) : what) + after;
}

test("whatever happens to a file: it is read, or refused with a place and a way out", () => {
  fc.assert(
    fc.property(fc.array(mutation, { minLength: 1, maxLength: 3 }), (changes) => {
      const broken = changes.reduce<string>(mutate, text);
      try {
        parseConfig(Buffer.from(broken), "ralph.yml");
      } catch (error) {
        expect(error).toBeInstanceOf(RalphError);
        const { exitCode, remedy, problems } = error as RalphError;
        expect(exitCode).toBe(1);
        expect(remedy).toMatch(/ralph validate --config ralph\.yml/);
        expect(problems.length).toBeGreaterThan(0);
        for (const { file, message } of problems) {
          expect(file).toBe("ralph.yml");
          expect(message).toMatch(/\S/);
        }
      }
    }),
  );
});
