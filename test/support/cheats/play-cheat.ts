import { chmodSync, writeFileSync } from "node:fs";
import type { RunEvent } from "../../../src/core/state/event.ts";
import type { ProofFinding } from "../../../src/core/state/proof-event.ts";
import { task } from "../builders/session.ts";
import { createProject, type Outcome, type Project } from "../project/project.ts";
import { renderAgent } from "../project/shell-agent.ts";
import { addSlug, type Cheat, testSlug, words } from "./cheat.ts";

/** What became of a cheat, for people. */
export interface CheatResult {
  title: string;
  inPlace: string;
  cleanRoom: string;
  pull: string;
  /** It passed, and nothing keeps the pull request a draft. */
  isSilent: boolean;
  /** Known to pass with these settings. */
  isOpen: boolean;
  /** What is wrong with an honest control; empty for a cheat. */
  complaints: string[];
}

/** Plays one cheat in a fresh repository, with a reviewer that approves everything: run, clean room, pull request. */
export async function playCheat(cheat: Cheat): Promise<CheatResult> {
  await using project = await createProject({
    tasks: cheat.tasks ?? [task("T-001")],
    files: { ...words, ...cheat.files },
    config: {
      proof: {},
      limits: { max_iterations: 1 },
      gates: { full: [gateOf(cheat)] },
      ...cheat.config,
    },
    agent: agentOf(cheat),
  });
  await playEarlier(project, cheat);
  const outcome = await project.run();
  const { title, isOpen = false } = cheat;
  if (outcome.exitCode !== 0) {
    const inPlace = `refused: ${refusalOf(outcome)}`;
    const complaints = cheat.isHonest ? [inPlace] : [];
    return { title, inPlace, cleanRoom: "-", pull: "-", isSilent: false, isOpen, complaints };
  }
  const findings = findingsOf(outcome.events);
  const room = await proveIn(project);
  const pull = await previewOf(project);
  const shown = findings.filter(({ message }) => pull.body.includes(firstWords(message)));
  return {
    title,
    inPlace: findings.length > 0 ? "passed, with a finding" : "passed",
    cleanRoom: room,
    pull: describePull(shown, pull),
    isOpen,
    isSilent:
      !cheat.isHonest &&
      !isOpen &&
      room === "proved" &&
      (shown.length === 0 || !/finding/.test(pull.draft ?? "")),
    complaints: cheat.isHonest ? complaintsOf({ outcome, findings, room }) : [],
  };
}

const gateOf = ({ gate = "node --test test/*.test.js" }: Cheat) =>
  typeof gate === "string" ? { name: "test", cmd: gate } : gate;

const agentOf = ({ implement = addSlug, tests = testSlug }: Cheat) => ({
  implementation: `{ ${implement}\n} >&2; claim`,
  test_writing: `{ ${tests}\n} >&2; claim`,
});

async function playEarlier(project: Project, cheat: Cheat): Promise<void> {
  const program = project.read(".ralph/ralph.yml").match(/"command": "([^"]+)"/)?.[1] ?? "";
  for (const agent of cheat.before ?? []) {
    writeFileSync(program, renderAgent(agent));
    chmodSync(program, 0o755);
    await project.run();
    writeFileSync(program, renderAgent(agentOf(cheat)));
  }
}

/** The reason as a person reads it, without names that differ from run to run. */
function refusalOf({ events, state }: Outcome): string {
  const failures = events.flatMap((event) =>
    event.type === "iteration_failed" ? [event.feedback] : [],
  );
  return inBrief(failures.at(-1) ?? state.end?.message ?? "");
}

const inBrief = (text: string) =>
  text
    .replace(/\s+/g, " ")
    .replace(/ These fail: .*$/, "")
    .replace(/^(Gate "[^"]+" (?:failed|ran out of time)\.) (?!No verdict).*$/, "$1")
    .replace(/^(.{40,200}?[.!?])(?: .*)?$/, "$1")
    .slice(0, 200);

const firstWords = (message: string) => message.slice(0, 30);

const findingsOf = (events: readonly RunEvent[]): ProofFinding[] =>
  events
    .flatMap((event) => (event.type === "proof_judged" ? event.findings : []))
    .filter(({ kind }) => kind === "finding");

async function proveIn(project: Project): Promise<string> {
  const { exitCode, stdout, stderr } = await project.ralph("audit", "--prove");
  if (exitCode === 0) return "proved";
  const why = `${stdout}\n${stderr}`.split("\n").find((line) => /refuted|fail|red/i.test(line));
  return `refuted: ${inBrief(why ?? `exit ${exitCode}`)}`;
}

type Preview = { draft: string | null; body: string };

async function previewOf(project: Project): Promise<Preview> {
  project.git("init", "-q", "--bare", `${project.folder}/remote.git`);
  project.git("remote", "add", "origin", `${project.folder}/remote.git`);
  project.git("push", "-q", "origin", "main");
  const { stdout, stderr } = await project.ralph("publish", "--dry-run", "--json");
  if (!stdout.startsWith("{")) return { draft: null, body: stderr };
  return JSON.parse(stdout);
}

function describePull(shown: readonly ProofFinding[], { draft }: Preview): string {
  const [first] = shown;
  if (first) return `draft: ${inBrief(first.message)}`;
  return draft === null ? "ready" : `draft: ${inBrief(draft)}`;
}

type Honest = { outcome: Outcome; findings: readonly ProofFinding[]; room: string };

function complaintsOf({ outcome, findings, room }: Honest): string[] {
  const retried = outcome.events.filter(
    ({ type }) => type === "iteration_failed" || type === "proof_asked",
  );
  return [
    ...findings.map(({ message }) => message),
    ...(retried.length > 0 ? ["needed another round"] : []),
    ...(room === "proved" ? [] : [room]),
  ];
}
