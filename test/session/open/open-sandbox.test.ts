import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import { listHomeSecrets } from "../../../src/sandbox/home-secrets.ts";
import { task } from "../../support/builders/session.ts";
import { createProject, type Project } from "../../support/project/project.ts";
import { hasBubblewrap } from "../../support/project/sandbox.ts";

/** What an agent would leave for later programs: settings with hooks, programs that run by name, a git alias. */
const planted = [
  ".claude/settings.json",
  ".claude.json",
  ".codex/config.toml",
  ".gemini/settings.json",
  ".npm/_npx/0/node_modules/.bin/tool",
  ".cache/pre-commit/tool",
  ".bashrc",
  ".gitconfig",
  ".local/bin/tool",
];
const plant = planted
  .map((path) => `mkdir -p "$HOME/${dirname(path)}"; echo planted >"$HOME/${path}"`)
  .join("\n");
/** What people have in their homes, written down apart from the list that ralph hides from gates. */
const credentials = [
  ...[".vault-token", ".pgpass", ".cargo/credentials.toml", ".m2/settings.xml", ".netrc"],
  ...[".config/rclone/rclone.conf", ".config/op/config", ".config/hub", ".config/pip/pip.conf"],
  ...[".config/glab-cli/config.yml", ".config/doctl/config.yaml", ".config/hcloud/cli.toml"],
  ...[".config/containers/auth.json", ".terraform.d/credentials.tfrc.json", ".gem/credentials"],
  ...[".s3cfg", ".boto", ".yarnrc.yml", ".env", ".bash_history", ".aws/credentials"],
  ...[".config/google-chrome/Default/Cookies", ".mozilla/firefox/x.default/logins.json"],
  ...[".local/share/keyrings/login.keyring", ".password-store/shop.gpg", ".ssh/id_ed25519"],
  ...[".codex/auth.json", ".gemini/oauth_creds.json", ".claude/projects/other.jsonl"],
  ...[".docker/config.json", ".git-credentials"],
];
/** Prints all it can read in a home folder. */
const userHome = `$(cd "$(dirname "$0")/../home" && pwd)`;
const look = (home: string) => `find "${home}" -type f -exec cat {} + 2>/dev/null`;

const options = (mode: "required" | "off", agent: object) => ({
  tasks: [task("T-001")],
  agent,
  sandbox: { mode },
});

function putAll(paths: readonly string[]): void {
  for (const path of paths) {
    mkdirSync(dirname(path), { recursive: true });
    if (!existsSync(path)) writeFileSync(path, `secret of ${path}`);
  }
}
const homeOf = (project: Project) => join(project.folder, "home");
const filesWith = (text: string, folder: string) =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name))
    .filter((path) => readFileSync(path, "utf8").includes(text));
const answers = (
  project: Project,
  facts: { output?: { sha256: string; bytes: number } | undefined }[],
) => facts.map(({ output }) => project.evidence(output)).join("\n");

describe.each(hasBubblewrap ? (["required", "off"] as const) : (["off"] as const))(
  "with the sandbox %s",
  (mode) => {
    test("nothing an agent puts into its home reaches another call or the user (T08, T51)", async () => {
      const agent = {
        implementation: `{ ${plant}\n} >&2; honest`,
        review: `${look("$HOME")}; honest`,
      };
      await using project = await createProject(options(mode, agent));
      mkdirSync(homeOf(project), { recursive: true });
      const { exitCode, facts } = await project.run();
      expect(exitCode).toBe(0);
      expect(answers(project, facts("agent_end"))).not.toContain("planted");
      expect(filesWith("planted", homeOf(project))).toEqual([]);
      const stores = readdirSync(project.stateDir).map((name) => join(project.stateDir, name));
      expect(stores.filter((store) => readdirSync(join(store, "homes")).length > 0)).toEqual([]);
    });
  },
);

describe.skipIf(!hasBubblewrap)("in the sandbox", () => {
  test("an agent reads no credential of the user; without it, it reads them all (T18)", async () => {
    for (const [mode, isRead] of [
      ["required", false],
      ["off", true],
    ] as const) {
      const agent = { implementation: `${look(userHome)}; honest` };
      await using project = await createProject(options(mode, agent));
      const home = homeOf(project);
      const planted = credentials.map((name) => `${home}/${name}`);
      putAll([...planted, ...listHomeSecrets(home)]);
      const { facts } = await project.run();
      const said = answers(project, facts("agent_end"));
      expect(said.includes("secret of")).toBe(isRead);
      expect(planted.filter((path) => said.includes(`secret of ${path}`))).toEqual(
        isRead ? planted : [],
      );
    }
  });

  test("a gate, too, reads no credential, and writes no settings of an agent program", async () => {
    await using project = await createProject({
      ...options("required", {}),
      gates: { look: `${look("$HOME")}; echo x >>"$HOME/.claude/settings.json"; true` },
    });
    const home = homeOf(project);
    putAll([...credentials.map((name) => `${home}/${name}`), ...listHomeSecrets(home)]);
    putAll([`${home}/.claude/settings.json`]);
    const { facts, exitCode } = await project.run();
    expect(exitCode).toBe(0);
    expect(answers(project, facts("gate_end"))).not.toContain("secret of");
    expect(readFileSync(join(home, ".claude/settings.json"), "utf8")).toContain("secret of");
  });

  test.for([
    ["of its own in a cage", { mode: "host", gates: "cage" }, false],
    ["of the user on the machine's network", "host", true],
  ] as const)("a gate writes into caches %s (T51)", async ([, network, isLeft]) => {
    const write = "echo x >>$HOME/.cache/planted; echo x >>$HOME/.npm/planted";
    await using project = await createProject({
      ...options("required", {}),
      sandbox: { mode: "required", network },
      gates: {
        cache: `${write}; test -s $HOME/.cache/planted; ls $HOME/.npm $HOME/.cache/puppeteer`,
      },
    });
    const home = homeOf(project);
    for (const name of [".cache/puppeteer", ".npm"])
      mkdirSync(join(home, name), { recursive: true });
    writeFileSync(join(home, ".cache/puppeteer/browser"), "");
    writeFileSync(join(home, ".npm/mine"), "");
    const { facts, exitCode } = await project.run();
    expect(exitCode).toBe(0);
    const seen = answers(project, facts("gate_end"));
    expect(seen).toContain("browser");
    expect(seen.includes("mine")).toBe(isLeft);
    for (const name of [".cache", ".npm"])
      expect(existsSync(join(home, name, "planted"))).toBe(isLeft);
  });

  test.for([
    ["of the project's package manager", { "go.mod": "module x\n" }, true],
    ["of another one", {}, false],
  ] as const)("a gate writes the download folder %s: %o", async ([, files, isWritten]) => {
    await using project = await createProject({
      ...options("required", {}),
      files,
      gates: { download: "mkdir -p $HOME/go/pkg/mod && echo x >$HOME/go/pkg/mod/x; true" },
    });
    mkdirSync(homeOf(project), { recursive: true });
    expect((await project.run()).exitCode).toBe(0);
    expect(existsSync(join(homeOf(project), "go/pkg/mod/x"))).toBe(isWritten);
  });

  test("the calls of a session share downloads, which a reviewer can only read", async () => {
    const agent = {
      implementation: `echo package >"$HOME/.npm/_cacache/package"; honest`,
      review: `cat "$HOME/.npm/_cacache/package"; echo x >"$HOME/.npm/_cacache/x" || echo refused; honest`,
    };
    await using project = await createProject(options("required", agent));
    mkdirSync(homeOf(project), { recursive: true });
    const { facts } = await project.run();
    expect(answers(project, facts("agent_end").slice(-1))).toMatch(/package\nrefused/);
    expect(existsSync(join(homeOf(project), ".npm"))).toBe(false);
  });
});
