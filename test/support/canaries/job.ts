import { spawn } from "node:child_process";
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  writeFileSync,
} from "node:fs";
import { homedir } from "node:os";
import { basename, dirname, join } from "node:path";
import { text } from "node:stream/consumers";
import { vi } from "vitest";
import { type ActionProject, createActionProject, type Started, token } from "../action/project.ts";
import { task } from "../builders/session.ts";
import type { WorkflowResult } from "../runner/model.ts";
import {
  type Canaries,
  createCanaries,
  createCanaryFinder,
  type FindCanaries,
} from "./canaries.ts";
import { findLeaks } from "./leaks.ts";

/** Not below /tmp, which the sandbox empties, wherever this checkout lies: on a runner its folders are seen. */
const visible = join(homedir(), ".cache/ralph-tests");
/** For a checkout below /tmp, whose Node an agent would not find. */
const node = dirname(process.execPath);
const programs = new URL(".", import.meta.url).pathname;

/** A secret in an environment or in arguments, seen from outside. */
export interface Sight {
  secret: string;
  where: "environ" | "cmdline";
  /** In the process of the agent, or in one below it. */
  isAgent: boolean;
  command: string;
}

export interface CanaryJob extends AsyncDisposable {
  canaries: Canaries;
  github: ActionProject;
  /** The program that stands in for claude. */
  agent: string;
  run: (workflow: string, options?: Started) => Promise<Swept>;
}

/** Leaves a process behind that shares nothing with the agent it came from, and waits for a token. */
export const lurk = `(env -i PATH="$PATH" setsid node "$(dirname "$0")/lurker.ts" ${process.pid} \
  "$(dirname "$0")/found/lurker" </dev/null >/dev/null 2>&1 &)
sleep 0.3`;

/** A job that has ended, and where its secrets were. */
export interface Swept {
  result: WorkflowResult & AsyncDisposable;
  /** What agents or gates of a job could read, by the way they took. */
  found: (who: "agent" | "gate", job: string) => Record<string, string[]>;
  /** What was seen from outside while it ran. */
  sights: readonly Sight[];
  /** Every command line that was seen. */
  commands: readonly string[];
  /** Secrets that a process left behind has read. */
  lurked: () => string[];
  /** Secrets that are in what is left after the run, by the place. */
  leaked: () => Record<string, string[]>;
}

/**
 * A repository whose agents and gates read whatever they can, leave it beside the job, and print it. The reviewer does
 * `more` as well, in shell.
 */
export async function createCanaryJob(sandbox: "required" | "off", more = ":"): Promise<CanaryJob> {
  const canaries = createCanaries({ github: token });
  const role = { driver: "claude" };
  const look = `"$(dirname "$0")/look" agent\nprintf %s "$token" >"$(dirname "$0")/found/token"`;
  const github = await createActionProject({
    mayActionsOpenPulls: true,
    tasks: [task("T-001")],
    agent: {
      implementation: `${look}\nwork\n${boast}`,
      test_writing: `${look}\nhonest`,
      review: `${look}\n${more}\nhonest`,
    },
    visible: [node],
    agents: { implementation: role, test_writing: role, review: role },
    sandbox: { mode: sandbox },
  });
  mkdirSync(visible, { recursive: true });
  vi.stubEnv("TMPDIR", visible);
  const place = join(github.project.folder, "bin");
  mkdirSync(join(place, "found"));
  for (const name of ["probe", "lurker"]) {
    copyFileSync(join(programs, `${name}.ts`), join(place, `${name}.ts`));
  }
  const probe = `exec "${process.execPath}" "${place}/probe.ts" "${place}/found/$1" ${process.pid} ${canaries.marker}`;
  writeFileSync(join(place, "look"), `#!/bin/sh\n${probe}\n`, { mode: 0o755 });
  addGate(github, `${place}/look gate`);
  return {
    canaries,
    github,
    agent: join(place, "agent"),
    run: (workflow, options = {}) => sweep({ github, canaries, place }, { workflow, options }),
    [Symbol.asyncDispose]: () => github[Symbol.asyncDispose](),
  };
}

/** Its own key in the words that are kept and committed. */
const boast = `printf '<task-done session="%s">\n## Learnings\n- The key is %s, or %s\n</task-done>\n' \\
  "$token" "$ANTHROPIC_API_KEY" "$(printf %s "$ANTHROPIC_API_KEY" | base64 -w 0)"`;

function addGate({ project, remoteGit }: ActionProject, cmd: string): void {
  const config = JSON.parse(project.read(".ralph/ralph.yml"));
  config.gates = { full: [{ name: "look", cmd }] };
  project.write(".ralph/ralph.yml", `${JSON.stringify(config, null, 2)}\n`);
  project.git("commit", "-qam", "chore: a gate that looks around");
  remoteGit("fetch", "-q", project.root, "+main:main");
}

type Scene = { github: ActionProject; canaries: Canaries; place: string };

async function sweep(
  scene: Scene,
  { workflow, options }: { workflow: string; options: Started },
): Promise<Swept> {
  const { github, canaries, place } = scene;
  const { runtime = "", identity = "" } = canaries.values;
  const watcher = startWatcher(canaries, join(place, "agent"));
  const result = await github.run(workflow, {
    ...options,
    secrets: { ...canaries.values, ...options.secrets },
    env: {
      ACTIONS_RUNTIME_TOKEN: runtime,
      ACTIONS_ID_TOKEN_REQUEST_TOKEN: identity,
      ...options.env,
    },
  });
  const seen = await watcher.stop();
  const find = createCanaryFinder(canaries.values);
  return {
    result,
    ...seen,
    found: (who, job) => readFound(join(place, "found", who, job), find),
    lurked: () => {
      const file = join(place, "found/lurker");
      return existsSync(file) ? find(readFileSync(file)) : [];
    },
    leaked: () => {
      const session = readFileSync(join(place, "found/token"), "utf8");
      return findLeaks({ github, result }, createCanaryFinder({ ...canaries.values, session }));
    },
  };
}

function startWatcher({ values }: Canaries, agent: string) {
  const watcher = spawn(process.execPath, [
    join(programs, "watcher.ts"),
    String(process.pid),
    agent,
  ]);
  watcher.stdin.write(`${JSON.stringify(values)}\n`);
  const answer = text(watcher.stdout);
  return {
    stop: async (): Promise<Pick<Swept, "sights" | "commands">> => {
      watcher.stdin.end();
      return JSON.parse(await answer);
    },
  };
}

/** What all processes of one kind found, by the way they took; a way that leads nowhere is left out. */
function readFound(folder: string, find: FindCanaries): Record<string, string[]> {
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" });
  const found = Map.groupBy(
    files.filter((path) => path.includes("/")),
    (path) => basename(path),
  );
  const entries = [...found].map(([route, paths]) => {
    const secrets = paths.flatMap((path) => find(readFileSync(join(folder, path))));
    return [route, [...new Set(secrets)].sort()] as const;
  });
  return Object.fromEntries(entries.filter(([, secrets]) => secrets.length > 0));
}
