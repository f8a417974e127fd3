import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import * as omc from "../../src/omc/index.ts";

const root = new URL("../../", import.meta.url).pathname;

/** As the specification's own examples are written, with every kind of state. */
const consumer = `
import { createRalphState, readVerificationState, type RalphState, updateVerificationAttempt, writeUltraworkState, createUltraworkState } from "@org/ralph-action/omc";
const state: RalphState = createRalphState("id", "prompt", 50, true);
const iteration: number = state.iteration;
const found = readVerificationState("/tmp");
if (found) updateVerificationAttempt("/tmp", found, "feedback", false);
writeUltraworkState("/tmp/none", createUltraworkState("id", \`\${iteration}\`), false);
// @ts-expect-error a number is no folder
readVerificationState(1);
`;

test("another project imports @org/ralph-action/omc with its functions and its types", () => {
  const folder = mkdtempSync(join(tmpdir(), "ralph-consumer-"));
  try {
    execFileSync("mkdir", ["-p", join(folder, "node_modules/@org")]);
    symlinkSync(root, join(folder, "node_modules/@org/ralph-action"));
    writeFileSync(join(folder, "index.mts"), consumer);
    const options = ["--noEmit", "--strict", "--module", "nodenext", "--target", "es2024"];
    const tsc = join(root, "node_modules/typescript/bin/tsc");
    execFileSync(process.execPath, [tsc, ...options, "index.mts"], { cwd: folder });
    const script = 'console.log(Object.keys(await import("@org/ralph-action/omc")).join())';
    const printed = execFileSync(process.execPath, ["--input-type=module", "-e", script], {
      cwd: folder,
    });
    expect(printed.toString().trim().split(",").toSorted()).toEqual(Object.keys(omc).toSorted());
  } finally {
    rmSync(folder, { recursive: true });
  }
});
