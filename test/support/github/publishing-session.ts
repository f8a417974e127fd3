import { createGitHub, type GitHub } from "../../../src/github/api/create-github.ts";
import type { PublishRequest } from "../../../src/github/publication/publish-request.ts";
import type { PublicationResult } from "../../../src/github/publish/publish-pull.ts";
import { publishSession } from "../../../src/github/publish/publisher.ts";
import type { System } from "../../../src/platform/system.ts";
import { createFakeGitHub, type FakeGitHub } from "./fake-github.ts";
import type { FakeSettings } from "./fake-state.ts";
import { addressOf, fakeClock, inFakeTime } from "./fake-time.ts";
import type { Machine } from "./published-project.ts";
import { watchRequests } from "./watch-requests.ts";

/** Receives each visible effect of a publisher: `push`, or a request other than GET. */
export type Act = (effect: string) => void;

export interface Publisher {
  readonly fake: FakeGitHub;
  /** The log, publication after publication. */
  readonly lines: string[];
  /** Effects visible from outside, in order. */
  readonly acts: string[];
  publish: (more?: Partial<PublishRequest>, watch?: Watch) => Promise<PublicationResult>;
}

/** Called around each act; throwing stands for a killed process. */
export interface Watch {
  before?: Act;
  after?: Act;
  /** Awaited before every exchange with the remote or with GitHub. */
  turn?: () => Promise<void>;
}

let count = 0;

/** Publishes a machine's session to a GitHub with a memory, in its own time. */
export function createPublisher(machine: Machine, settings: FakeSettings = {}): Publisher {
  const fake = createFakeGitHub({
    repository: `o/s${count++}`,
    bare: machine.bare,
    ...settings,
  });
  const lines: string[] = [];
  const acts: string[] = [];
  const publish = (more: Partial<PublishRequest> = {}, watch: Watch = {}) =>
    inFakeTime([fake], () => {
      const after = (effect: string) => {
        acts.push(effect);
        watch.after?.(effect);
      };
      const log = (line: string) => void lines.push(line);
      return publishWatched({ machine, fake }, { ...watch, after }, { log, ...more });
    });
  return { fake, lines, acts, publish };
}

/** One publication in a fake time that runs already. */
export function publishWatched(
  { machine, fake }: { machine: Machine; fake: FakeGitHub },
  watch: Watch,
  more: Partial<PublishRequest> = {},
): Promise<PublicationResult> {
  const seen = { before: () => {}, after: () => {}, turn: async () => {}, ...watch };
  return publishSession(watchedSystem(machine.system, seen), {
    bundle: machine.bundle,
    checkout: machine.checkout,
    remote: { url: `file://${machine.bare}`, allowsFiles: true },
    trust: { revisions: ["HEAD"], config: ".ralph/ralph.yml" },
    github: watchedGitHub(fake, seen),
    staysDraft: false,
    comments: true,
    proof: "in_place",
    acceptsInPlace: true,
    log: () => {},
    ...more,
  });
}

type Watched = Required<Watch>;

const overTheWire = ["push", "fetch", "ls-remote"];

function watchedSystem(system: System, { before, after, turn }: Watched): System {
  return {
    ...system,
    clock: { ...system.clock, ...fakeClock },
    ask: async (command) => {
      if (overTheWire.some((verb) => command.args.includes(verb))) await turn();
      if (!command.args.includes("push")) return system.ask(command);
      before("push");
      const answer = await system.ask(command);
      after("push");
      return answer;
    },
  };
}

function watchedGitHub(fake: FakeGitHub, { before, after, turn }: Watched): GitHub {
  const { repository } = fake;
  const github = createGitHub({ apiUrl: addressOf(fake), token: "t0ken", repository });
  const around = async <Answer>(effect: string, act: () => Promise<Answer>): Promise<Answer> => {
    await turn();
    if (effect.startsWith("GET ") || effect.startsWith("query")) return act();
    before(effect);
    const answer = await act();
    after(effect);
    return answer;
  };
  watchRequests(github, ({ method, url, query }, send) => {
    const route = `${method} ${url}`.replace("/repos/{owner}/{repo}/", "");
    const effect = typeof query === "string" ? query.replace(/[\s({][\s\S]*/, "") : route;
    return around(effect, send);
  });
  return github;
}
