import type { RunEvent } from "../core/state/event.ts";
import type { SessionState } from "../core/state/session-state.ts";
import { RalphError } from "../error.ts";
import { stateFolder } from "../journal/session-store.ts";
import { isRecord } from "../schema/base/is-record.ts";
import { Config } from "../schema/config/config.ts";
import { counted } from "../text/figures.ts";
import { plainText } from "../text/plain-text.ts";
import type { CheckResult } from "./check.ts";
import { quickChecks } from "./checks.ts";
import { runChecks } from "./run-checks.ts";
import type { ScanContext } from "./scan-context.ts";
import { createScrubber } from "./scrub.ts";
import { renderEvents, renderSession } from "./support-events.ts";

/** Facts from the caller. `problem`: there is no session, or its journal is unreadable. */
export interface SupportFacts {
  version: string;
  session: { state: SessionState; events: readonly RunEvent[] } | { problem: string };
}

/** The first line of every support text. */
export const title = "# ralph: what a maintainer needs to help";

const heading = `${title}

This text holds:
- versions and the platform
- the settings that differ from the defaults, with *** for anything that is named or looks like a secret
- the last session: states and figures of its tasks, its last events, first lines of error messages
- the results of the quick checks of \`ralph scan\`
It holds no prompts, no output of agents or gates, no task texts, no source code, and no value of a secret
environment variable. It does hold names of branches, models, gates, commands, files and folders.
Read it before you share it.`;

/** One text for a bug report, safe to paste once it has been read. */
export async function renderSupport(context: ScanContext, facts: SupportFacts): Promise<string> {
  const { env } = context.system;
  const scrub = createScrubber(env, { root: context.root, state: stateFolder(env) });
  const results = await runChecks(context, quickChecks, watchNothing);
  const parts = [
    section("Versions", await versionsOf(context, facts.version)),
    section("Configuration", await configOf(context)),
    ...sessionParts(facts.session),
    section("Scan", results.map(renderCheck)),
  ];
  return `${heading}\n\n${scrub(plainText(parts.join("\n\n")))}\n`;
}

const watchNothing = { onStart: () => {}, onEnd: async () => {} };

const fence = "~~~~~~";

/** Fenced, so that the content is not read as Markdown. */
const section = (title: string, lines: readonly string[]) => {
  const text = lines.join("\n").replaceAll(fence, "~~~");
  return `## ${title}\n\n${fence}text\n${text}\n${fence}`;
};

async function versionsOf({ system, root }: ScanContext, version: string): Promise<string[]> {
  const args = ["-srm"];
  const { stdout } = await system.ask({ file: "uname", args, cwd: root, env: system.env });
  const place = system.env.GITHUB_ACTIONS === "true" ? "GitHub Actions" : system.env.CI && "CI";
  return [
    `ralph ${version}`,
    `node ${process.versions.node}`,
    `${process.platform} ${process.arch}, ${stdout.toString().trim()}`,
    ...(place ? [place] : []),
  ];
}

/** The settings that differ from the defaults. The scan reports an invalid configuration. */
async function configOf(context: ScanContext): Promise<string[]> {
  try {
    return JSON.stringify(chosenSettings((await context.config()).config), null, 1).split("\n");
  } catch (error) {
    if (error instanceof RalphError) return ["not valid, see below"];
    throw error;
  }
}

function sessionParts(session: SupportFacts["session"]): string[] {
  if ("problem" in session) return [section("Last session", [session.problem])];
  const { state, events } = session;
  return [
    section("Last session", renderSession(state, state.session.versions)),
    section("Last events", renderEvents(events)),
  ];
}

const renderCheck = ({ name, status, message }: CheckResult & { name: string }) =>
  `${name}: ${status}: ${message}`;

/** The settings that differ from the defaults. Variables of Robot tests are only counted. */
const chosenSettings = (config: Config): unknown =>
  differing(shown(config), shown(Config.parse(leastConfig))) ?? {};

const leastConfig = {
  version: "1",
  task_source: { type: "prd_json", path: "-" },
  gates: { full: [] },
  git: { base_branch: "none" },
};

function shown({ skills: _, ...config }: Config) {
  const { ui } = config;
  const variables = counted(Object.keys(ui.robot.variables).length, "variable");
  return { ...config, ui: { ...ui, robot: { ...ui.robot, variables } } };
}

/** The parts of a value that differ from another value; undefined when they are equal. */
function differing(value: unknown, other: unknown): unknown {
  if (JSON.stringify(value) === JSON.stringify(other)) return undefined;
  if (!isRecord(value) || !isRecord(other)) return value;
  const entries = Object.entries(value).flatMap(([key, member]) => {
    const part = differing(member, other[key]);
    return part === undefined ? [] : [[key, part] as const];
  });
  return Object.fromEntries(entries);
}
