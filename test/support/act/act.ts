import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { cpSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { stringify } from "yaml";
import type { ActionProject } from "../action/project.ts";
import { token } from "../action/tokens.ts";
import { actStandIns } from "./stand-ins.ts";

/** https://github.com/nektos/act: another implementation of the runner, which knows nothing of ours. */
const program = process.env.ACT ?? "act";
export const hasAct = spawnSync(program, ["--version"]).status === 0;

/** What a job of other repositories is given of this one. */
const published = ["action.yml", "dist", ".github/workflows", "src/action/programs"];

/**
 * Runs a workflow of the repository on GitHub under act, on this machine instead of in containers; the actions it names
 * are folders. Answers act's log; act knows no permissions, so every job has a person's token.
 */
export async function runAct(
  { project, server, remoteGit }: ActionProject,
  { workflow, runId, env }: { workflow: string; runId: string; env: Record<string, string> },
): Promise<{ exitCode: number; log: string }> {
  const folder = join(project.folder, "act", runId);
  const home = join(folder, "ralph-action");
  for (const path of published) cpSync(path, join(home, path), { recursive: true });
  const standIns = actStandIns({
    repository: remoteGit("rev-parse", "--absolute-git-dir"),
    artifacts: join(project.folder, "act-artifacts"),
  });
  const places = [...Object.entries(standIns)].map(([name, action]) => {
    const place = join(folder, "actions", name);
    mkdirSync(place, { recursive: true });
    writeFileSync(join(place, "action.yml"), stringify(action));
    return [name, place] as const;
  });
  const named = usedActions(workflow).map((uses) => {
    const [name = ""] = uses.split("@");
    return [uses, new Map(places).get(name) ?? home];
  });
  const event = join(folder, "event.json");
  writeFileSync(event, JSON.stringify({ repository: { default_branch: "main" } }));
  const file = join(folder, "workflow.yml");
  writeFileSync(file, workflow);
  const given = { ...env, GITHUB_SERVER_URL: server.url, GITHUB_API_URL: server.apiUrl };
  const args = [
    ...["schedule", "--directory", project.root, "--workflows", file, "--eventpath", event],
    ...["--platform", "ubuntu-24.04=-self-hosted", "--no-skip-checkout", "--no-cache-server"],
    ...["--action-cache-path", join(folder, "cache"), "--concurrent-jobs", "1"],
    ...named.flatMap(([uses, place]) => ["--local-repository", `${uses}=${place}`]),
    ...Object.entries({
      ...given,
      GITHUB_REPOSITORY: "octo/example",
      GITHUB_RUN_ID: runId,
    }).flatMap(([name, value]) => ["--env", `${name}=${value}`]),
    ...["--secret", `GITHUB_TOKEN=${token}`, "--secret", "ANTHROPIC_API_KEY=sk-ant-canary"],
  ];
  const own = { PATH: env.PATH, HOME: folder };
  const child = spawn(program, args, { env: own, stdio: ["ignore", "pipe", "pipe"] });
  const printed = Promise.all([text(child.stdout), text(child.stderr)]);
  const [exitCode] = await once(child, "close");
  return { exitCode, log: (await printed).join("\n") };
}

/** `owner/name@ref` of every action that the workflow, or what it calls of ours, uses. */
function usedActions(workflow: string): string[] {
  const texts = [workflow, ...["action.yml", ".github/workflows/ralph.yml"].map(readText)];
  const uses = texts.flatMap((each) => [
    ...each.matchAll(/uses: ([\w.-]+\/[\w.-]+)[\w./-]*(@\S+)/g),
  ]);
  return [...new Set(uses.map(([, name, ref]) => `${name}${ref}`))];
}

const readText = (path: string) => readFileSync(path, "utf8");
