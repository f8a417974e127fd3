import { execFile } from "node:child_process";
import {
  cpSync,
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

/** The sources with some steps carried out; what the compiler says of them. */
export async function compileWith(steps: readonly GuideStep[]): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), "ralph-guide-"));
  try {
    for (const part of ["src", "package.json", "tsconfig.json"])
      cpSync(part, join(folder, part), { recursive: true });
    symlinkSync(join(process.cwd(), "node_modules"), join(folder, "node_modules"));
    for (const step of steps) carryOut(folder, step);
    const config = { extends: "./tsconfig.json", include: ["src"] };
    writeFileSync(join(folder, "guide.json"), JSON.stringify(config));
    const tsc = join(process.cwd(), "node_modules/.bin/tsc");
    return await promisify(execFile)(tsc, ["--project", "guide.json"], { cwd: folder }).then(
      () => "",
      ({ stdout }: { stdout: string }) => stdout,
    );
  } finally {
    rmSync(folder, { recursive: true });
  }
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
