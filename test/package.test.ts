import { execFile, execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, expect, test } from "vitest";
import { actionReference } from "../src/scaffold/write/published-addresses.ts";
import { thorough } from "./setup/sampled.ts";

const root = new URL("..", import.meta.url).pathname;
const { name, version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
const folder = mkdtempSync(join(tmpdir(), "ralph-package-"));
const project = join(folder, "shop");
const server = createServer((_, response) =>
  response.end(readFileSync(join(folder, "ralph-action.tgz"))),
);

/** Runs in a project of somebody who has never seen this repository. */
const inProject = async (file: string, ...args: string[]) => {
  const env = { ...process.env, npm_config_cache: join(folder, "cache"), npm_config_offline: "" };
  return (await promisify(execFile)(file, args, { cwd: project, env })).stdout;
};

afterAll(() => {
  server.close();
  rmSync(folder, { recursive: true });
});

test("the package is named after the repository it lives in, so that no one else can own its name", () => {
  expect(name).toBe(`@${actionReference.split("@")[0]}`);
});

thorough(
  "one line installs ralph in another project, and nothing else: no registry, no build",
  async () => {
    execFileSync(process.execPath, [".github/scripts/pack.ts", folder], { cwd: root });
    mkdirSync(project);
    await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
    await inProject("git", "init", "--quiet", "--initial-branch", "main");
    await inProject("npm", "init", "--yes");
    const { port } = server.address() as AddressInfo;
    const address = `http://127.0.0.1:${port}/latest/download/ralph-action.tgz`;
    const registry = "--registry=http://127.0.0.1:9/";
    const printed = await inProject("npm", "install", "--save-dev", registry, address);
    expect(printed).toMatch(/added 1 package/);
    expect(await inProject("npx", "ralph", "--version")).toBe(`${version}\n`);
    const wrote = await inProject("npx", "ralph", "init");
    expect(wrote).toContain(".ralph/ralph.yml");
    const script = `console.log(Object.keys(await import("${name}/omc")).length > 0)`;
    expect(await inProject("node", "--input-type=module", "-e", script)).toBe("true\n");
  },
);
