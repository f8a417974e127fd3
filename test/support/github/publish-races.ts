import { RalphError } from "../../../src/error.ts";
import { branch, sessionFolders } from "../project/project.ts";
import { createRandom } from "./fake-faults.ts";
import { createFakeGitHub } from "./fake-github.ts";
import { inFakeTime } from "./fake-time.ts";
import { backwardMoves, type Machine, type PublishedProject } from "./published-project.ts";
import { publishWatched } from "./publishing-session.ts";
import { createFreePlay, createTurns } from "./turns.ts";

/** Who meets on one branch of one remote. */
export type RaceKind = "same-session" | "two-sessions" | "person";

export interface Race {
  kind: RaceKind;
  seed: number;
  /** Where a second session's bundle lies. */
  other: string;
}

export interface RaceResult {
  /** Everything that is wrong after it. */
  faults: string[];
  /** How each publisher ended: `published`, or the reason why not. */
  ends: readonly string[];
}

/** More turns than a publication takes. */
const mostTurns = 24;

/** Runs one race to its end. */
export async function runRace(origin: PublishedProject, race: Race): Promise<RaceResult> {
  const { kind, seed, other } = race;
  const name = `${kind}-${seed}`;
  const machine = origin.copy(name);
  // What is lost shall be seen as lost, and not be refused by the remote.
  machine.remoteGit("config", "receive.denyNonFastForwards", "false");
  const fake = createFakeGitHub({ repository: `races/${name}`, bare: machine.bare });
  const random = createRandom(seed);
  // Half of the races take turns, so that they can be repeated; in the others nobody waits for anybody.
  const game = seed % 2 === 0 ? createTurns(random) : createFreePlay();
  const ends: string[] = [];
  const publish = async (at: Machine) => {
    const { turn, leave } = game.join();
    await publishWatched({ machine: at, fake }, { turn })
      .then(() => ends.push("published"))
      .catch((error: unknown) => ends.push(reasonOf(error)))
      .finally(leave);
  };
  const known: string[] = [];
  const push = async () => {
    const { turn, leave } = game.join({ isWatching: true });
    for (let left = Math.floor(random() * mostTurns); left >= 0; left--) await turn();
    known.push(machine.personPushes(branch));
    leave();
  };
  const rivals = {
    "same-session": () => publish(origin.beside(machine, `${name}-b`)),
    "two-sessions": () => publish(origin.beside(machine, `${name}-b`, other)),
    person: push,
  };
  await inFakeTime([fake], () => Promise.all([publish(machine), rivals[kind]()]));
  const faults = faultsAfter(origin, machine, { ends, known, kind });
  return { faults: faults.map((fault) => `${name}: ${fault}`), ends };
}

/** `git`: somebody else's commit was in the way. */
function reasonOf(error: unknown): string {
  return error instanceof RalphError ? error.reason : String(error);
}

type Outcome = { kind: RaceKind; ends: readonly string[]; known: readonly string[] };

function faultsAfter(
  { project, committed }: PublishedProject,
  { bare, remoteGit }: Machine,
  { kind, ends, known }: Outcome,
): string[] {
  const published = ends.filter((end) => end === "published").length;
  const holds = (commit: string) => remoteGit("rev-list", "-n1", commit, `^${branch}`) === "";
  const isEnd = kind === "same-session" ? ["published"] : ["published", "git"];
  const must = kind === "same-session" ? committed.map(({ commit }) => commit) : known;
  return [
    ...ends.filter((end) => !isEnd.includes(end)).map((end) => `ended by ${end}`),
    ...(kind !== "person" && published === 0 ? ["nobody published"] : []),
    ...(kind === "two-sessions" && published > 1 ? ["both published"] : []),
    ...must.filter((commit) => !holds(commit)).map((commit) => `lost ${commit}`),
    ...backwardMoves(project, bare).map((line) => `moved back: ${line}`),
  ];
}

/** A second session of the same list from the same commit, on the same branch; answers its folder. */
export async function runAnother({ project }: PublishedProject): Promise<string> {
  project.git("checkout", "-q", "main");
  project.git("branch", "-q", "-D", branch);
  const before = sessionFolders(project.stateDir);
  const { exitCode, stderr } = await project.run();
  if (exitCode !== 0) throw new Error(stderr);
  const [folder = ""] = sessionFolders(project.stateDir).filter((each) => !before.includes(each));
  return folder;
}
