import { execFile } from "node:child_process";
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { promisify } from "node:util";

/** One change a guide asks for: a new file, or lines of one that exists. */
export interface GuideStep {
  kind: "ts" | "diff";
  path: string;
  text: string;
}

/** The steps of a guide: its code blocks that name a file. */
export function stepsOf(guide: string): GuideStep[] {
  const blocks = readFileSync(guide, "utf8").matchAll(/^```(ts|diff) (\S+)\n(.*?)^```$/gms);
  return Array.from(blocks, ([, kind, path = "", text = ""]) => ({
    kind: kind === "ts" ? "ts" : "diff",
    path,
    text,
  }));
}

/** A copy of the sources in which guides are followed, one at a time. */
export class GuideCopy implements Disposable {
  readonly #folder = mkdtempSync(join(tmpdir(), "ralph-guide-"));

  constructor() {
    for (const part of ["src", "app", "package.json", "tsconfig.json"])
      cpSync(part, join(this.#folder, part), { recursive: true });
    symlinkSync(join(process.cwd(), "node_modules"), join(this.#folder, "node_modules"));
    writeFileSync(join(this.#folder, "vitest.config.ts"), "export default {};\n");
    // Each compilation checks only what differs from the one before.
    const compilerOptions = { incremental: true, tsBuildInfoFile: "guide.tsbuildinfo" };
    const config = { extends: "./tsconfig.json", compilerOptions, include: ["src", "app"] };
    writeFileSync(join(this.#folder, "guide.json"), JSON.stringify(config));
  }

  /** What the compiler reports with some steps carried out. */
  compile(steps: readonly GuideStep[]): Promise<string> {
    return this.#with(steps, "tsc", ["--project", "guide.json"]);
  }

  /** What a failing test prints with some steps carried out; empty when it passes. */
  test(steps: readonly GuideStep[], file: string): Promise<string> {
    return this.#with(steps, "vitest", ["run", file]);
  }

  async #with(steps: readonly GuideStep[], program: string, args: string[]): Promise<string> {
    for (const step of steps) carryOut(this.#folder, step);
    try {
      const path = join(process.cwd(), "node_modules/.bin", program);
      return await promisify(execFile)(path, args, { cwd: this.#folder }).then(
        () => "",
        ({ stdout }: { stdout: string }) => stdout,
      );
    } finally {
      for (const { path } of steps) restore(this.#folder, path);
    }
  }

  [Symbol.dispose](): void {
    rmSync(this.#folder, { recursive: true });
  }
}

function restore(folder: string, path: string): void {
  if (existsSync(path)) cpSync(path, join(folder, path));
  else rmSync(join(folder, path), { force: true });
}

function carryOut(folder: string, { kind, path, text }: GuideStep): void {
  const file = join(folder, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, kind === "ts" ? text : patched(readFileSync(file, "utf8"), { path, text }));
}

/** Lines with `-` and a space must be there, one after the other; those with `+` and a space come in their place. */
function patched(source: string, { path, text }: Pick<GuideStep, "path" | "text">): string {
  const lines = text.split("\n").filter((line) => line !== "");
  const side = (sign: string) =>
    lines
      .filter((line) => line.startsWith(" ") || line.startsWith(sign))
      .map((line) => line.slice(1))
      .join("\n");
  if (!source.includes(side("-"))) throw new Error(`${path} does not hold:\n${side("-")}`);
  return source.replace(side("-"), () => side("+"));
}
