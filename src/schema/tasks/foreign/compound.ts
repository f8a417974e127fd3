import * as z from "zod";
import { type Checked, checkShape, conclude } from "../../base/check-shape.ts";
import { RelativePath } from "../../base/fields.ts";
import { type Finding, warningAt } from "../../base/finding.ts";
import { unknownKeys } from "../../base/unknown-keys.ts";
import { slug } from "./words.ts";

const Check = z.union([
  z.string().min(1),
  z.object({ name: z.string().optional(), command: z.string().min(1) }),
  z.object({ name: z.string().optional(), cmd: z.string().min(1) }),
]);

/** `compound.config.json` of compound-product (compatibility 1.22). */
export const CompoundConfig = z.object({
  $schema: z.string().optional(),
  tool: z.string().optional(),
  reportsDir: RelativePath.default("./reports"),
  outputDir: RelativePath.default("./scripts/compound"),
  qualityChecks: z
    .array(Check, { error: 'must be a list of commands, such as ["npm test"]' })
    .default([]),
  maxIterations: z.int().min(1).optional(),
  branchPrefix: z.string().min(1).default("compound/"),
  analyzeCommand: z.string().optional(),
});
export type CompoundConfig = z.output<typeof CompoundConfig>;

/** Errors, and warnings for keys without a counterpart here. */
export function checkCompound(value: unknown): Checked<CompoundConfig> {
  const strange = unknownKeys(CompoundConfig, value).map(({ path, meant }) => {
    const hint = meant ? ` (did you mean "${meant}"?)` : "";
    return warningAt(path, `is not a known key; it is left out${hint}`);
  });
  return conclude(checkShape(CompoundConfig, value), [...strange, ...leftOut(value)]);
}

const Sketch = z.object({ tool: z.unknown(), analyzeCommand: z.unknown() }).partial().catch({});

function leftOut(value: unknown): Finding[] {
  const { tool, analyzeCommand } = Sketch.parse(value);
  const isOther = typeof tool === "string" && tool !== "claude";
  const program = `is "${tool}", for which there is no driver; agents are called with the program claude`;
  const analysis = "is left out; reports are analysed by ralph itself";
  return [
    ...(isOther ? [warningAt(["tool"], program)] : []),
    ...(typeof analyzeCommand === "string" ? [warningAt(["analyzeCommand"], analysis)] : []),
  ];
}

/** A gate for each check, with a unique name made from its command. */
export function gatesOf({ qualityChecks }: CompoundConfig): { name: string; cmd: string }[] {
  const used = new Map<string, number>();
  return qualityChecks.map((check) => {
    const { cmd, said } = partsOf(check);
    const name = slug(said ?? nameFor(cmd)) || "check";
    const count = (used.get(name) ?? 0) + 1;
    used.set(name, count);
    return { name: count === 1 ? name : `${name}-${count}`, cmd };
  });
}

function partsOf(check: z.output<typeof Check>): { cmd: string; said: string | undefined } {
  if (typeof check === "string") return { cmd: check, said: undefined };
  return { cmd: "cmd" in check ? check.cmd : check.command, said: check.name };
}

const runner =
  /^(?:npm|pnpm|yarn|bun|npx|bunx|uv|poetry|make|just|task)(?: (?:run|run-script|exec|x))? ([\w:.-]+)/;

/** `npm run typecheck` is named typecheck, `cargo clippy --all` cargo-clippy. */
function nameFor(cmd: string): string {
  const [, script] = runner.exec(cmd.trim()) ?? [];
  return script ?? cmd.trim().split(/\s+/).slice(0, 2).join(" ");
}
