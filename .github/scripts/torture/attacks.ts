/** Tests, by their file and a part of their full title. */
export interface Shown {
  readonly file: string;
  readonly title: string;
}

/** An attack that must fail, and the same one without what stops it: a test that cannot fail shows nothing. */
export interface Attack {
  readonly name: string;
  /** `T41`. */
  readonly threats: readonly string[];
  readonly withstood: Shown;
  /** Shows that it succeeds with its defence switched off; absent when `withstood` shows both. */
  readonly bites?: Shown;
}

const defences = (name: string, ...threats: string[]): Attack => ({
  ...{ name, threats },
  withstood: { file: "test/sandbox/defences.test.ts", title: name },
});
const caged = (name: string): Attack => ({
  ...{ name: `out of the cage by ${name}`, threats: ["T20"] },
  withstood: {
    file: "test/sandbox/network-cage.test.ts",
    title: `stays in the cage (T20): ${name}`,
  },
});
const inner = "test/platform/net/inner-addresses.test.ts";
const ofKernel = (name: string, ...threats: string[]): Attack => ({
  ...{ name, threats },
  withstood: {
    file: "test/sandbox/kernel-doors.test.ts",
    title: `works without the filter of system calls fails with it: ${name}`,
  },
});
const limits = "test/sandbox/process-limits.test.ts";
const limited = (name: string): Attack => ({
  ...{ name, threats: ["T45"] },
  withstood: { file: limits, title: `(T45): ${name}` },
});
const storm = (name: string): Attack => ({
  ...{ name: `a storm of ${name}`, threats: ["T45"] },
  withstood: { file: limits, title: `a storm of ${name} is ended, and without the limit` },
});

const injection = "test/torture/injection.test.ts";
const obeyed: Shown = { file: injection, title: "gains all of it without the sandbox" };
const homes = "test/session/open/open-sandbox.test.ts";
const services = "test/session/steps/caged-services.test.ts";
const secrets = "test/action/secrets.test.ts";
const today = "test/session/clean-room/prove-today.test.ts";
const elsewhere = "test/session/clean-room/prove-head.test.ts";
const protectedFiles = "test/e2e/protected-files.test.ts";
const undefended = "test/torture/undefended.test.ts";
const unseen = "test/e2e/unseen-files.test.ts";
const guarded = "test/platform/net/guarded-request.test.ts";
const documents = "test/e2e/documents.test.ts";

/** The attacks that `npm run torture` shows, with the threats they belong to. */
export const attacks: readonly Attack[] = [
  ...[
    "a task's description",
    "acceptance criteria",
    "AGENTS.md",
    "the README an agent reads",
    "patterns of earlier runs",
    "the output of a gate",
  ].map((entry) => ({
    name: `orders in ${entry}, obeyed to the letter`,
    threats: ["T01", "T02", "T09", "T14", "T15", "T19"],
    withstood: { file: injection, title: `gains nothing by ${entry}` },
    bites: obeyed,
  })),
  defences("writing a git hook", "T41"),
  defences("moving .git away", "T41"),
  defences("reading the state directory", "T47"),
  defences("changing the state directory", "T47"),
  defences("reading the parent's environment", "T16"),
  defences("signalling our process", "T50"),
  defences("reaching a socket in /tmp", "T20"),
  defences("changing the system", "T51"),
  defences("mounting over .git", "T41"),
  defences("changing what the kernel runs on a crash", "T51"),
  defences("making a device", "T51"),
  defences("leaving a file beside the work tree", "T51"),
  defences("a daemon that outlives the call", "T50"),
  ...[
    "TCP to an address",
    "TCP over IPv6",
    "an abstract unix socket",
    "UDP, as names are resolved",
  ].map(caged),
  ofKernel("reading the keys of the user", "T18"),
  ofKernel("leaving a key for later programs", "T51"),
  ofKernel("a socket to the hypervisor", "T20"),
  ofKernel("a cgroup of its own, to freeze ralph by", "T50"),
  {
    name: "taking mounts away in a user namespace",
    threats: ["T41"],
    withstood: {
      file: "test/sandbox/kernel-doors.test.ts",
      title: "a user namespace of its own takes no mount away",
    },
    bites: {
      file: "test/sandbox/defences.test.ts",
      title: "which is the work of the dropped capabilities",
    },
  },
  {
    name: "a listed name that leads to the machine's own networks",
    threats: ["T20"],
    withstood: { file: inner, title: "a name that only a wildcard allows leads to no inner" },
    bites: { file: inner, title: "a name that a person wrote in full leads to the inner" },
  },
  {
    name: "another port of the machine from a service",
    threats: ["T20"],
    withstood: { file: services, title: "cage: a service that tries another port" },
    bites: { file: services, title: "host: a service that tries another port" },
  },
  limited("a huge file"),
  limited("a sparse file"),
  storm("processes"),
  storm("memory"),
  {
    name: "reading the user's credentials",
    threats: ["T18"],
    withstood: { file: homes, title: "an agent reads no credential of the user; without it" },
  },
  {
    name: "settings and programs left in the home folder",
    threats: ["T08", "T51"],
    withstood: {
      file: homes,
      title: "with the sandbox required nothing an agent puts into its home",
    },
    bites: obeyed,
  },
  {
    name: "programs left in the caches of gates",
    threats: ["T51"],
    withstood: { file: homes, title: "a gate writes into caches of its own in a cage" },
    bites: { file: homes, title: "a gate writes into caches of the user" },
  },
  {
    name: "settings, hooks, branches and tags left for the user's git without a sandbox",
    threats: ["T41"],
    withstood: {
      file: "test/e2e/user-git.test.ts",
      title: "is put back and reported: settings, hooks, branches",
    },
    bites: { file: "test/git/worktree/hostile.test.ts", title: "the fixture bites" },
  },
  {
    name: "reading the API key",
    threats: ["T15"],
    withstood: { file: "test/session/open/call-network.test.ts", title: "gets a dummy for" },
    bites: {
      file: "test/agents/call/environment.test.ts",
      title: "is passed when the driver declares it",
    },
  },
  {
    name: "every reading route to a job's secrets",
    threats: ["T15", "T16", "T18", "T22"],
    withstood: {
      file: secrets,
      title: "an agent reads its own model credential and no other secret",
    },
    bites: { file: secrets, title: "an agent also reads the secrets of the whole job" },
  },
  {
    name: "waiting for the token of the push",
    threats: ["T50"],
    withstood: { file: secrets, title: "ends with its call in the sandbox" },
    bites: { file: secrets, title: "reads the token of the push without the sandbox" },
  },
  {
    name: "hooks, filters and settings planted in .git",
    threats: ["T41", "T42"],
    withstood: {
      file: "test/git/worktree/hostile.test.ts",
      title: "nothing planted in .git runs or redirects us",
    },
    bites: { file: "test/git/worktree/hostile.test.ts", title: "the fixture bites" },
  },
  {
    name: "a bundle that chooses looser gates by its start commit",
    threats: ["T37", "T57"],
    withstood: { file: today, title: "is refuted by the gates of the commit the clone was given" },
  },
  {
    name: "a bundle that chooses looser protection by its start commit",
    threats: ["T37", "T57"],
    withstood: { file: today, title: "is published only where its own start is the commit" },
  },
  {
    name: "commits before a session that change more than its plan",
    threats: ["T37", "T57"],
    withstood: {
      file: "test/github/verify/plan-attacks.test.ts",
      title: "is refused, and would be pushed without the check",
    },
  },
  {
    name: "results faked in ignored files",
    threats: ["T46"],
    withstood: {
      file: elsewhere,
      title: "passes in place, and its gate and criterion are refuted",
    },
  },
  {
    name: "changing protected files",
    threats: ["T37", "T08"],
    withstood: { file: protectedFiles, title: "is put back, recorded and reported" },
    bites: { file: protectedFiles, title: "`protect.allow` lifts the protection of what it names" },
  },
  {
    name: "settings for the user's programs in files that git ignores",
    threats: ["T08", "T51"],
    withstood: { file: protectedFiles, title: "settings in files that git ignores are put back" },
  },
  {
    name: "weakening the gates",
    threats: ["T46"],
    withstood: { file: protectedFiles, title: "gates come from the start commit" },
    bites: { file: undefended, title: "gates that an agent may choose pass its work" },
  },
  {
    name: "gaming the tests",
    threats: ["T46"],
    withstood: {
      file: "test/e2e/gamed-tests.test.ts",
      title: "refused, or shown on the first screen",
    },
    bites: { file: undefended, title: "without the proof of the work cheats pass" },
  },
  {
    name: "orders for later agents in what an agent learned",
    threats: ["T07"],
    withstood: { file: documents, title: "learnings are offered in the pull request" },
    bites: { file: documents, title: "learnings and patterns are kept, committed, and shown" },
  },
  {
    name: "words of a title that close issues, mention people or skip CI",
    threats: ["T10"],
    withstood: {
      file: "test/text/escape-commit-text.test.ts",
      title: "would act on is plain text, and acts as it was written",
    },
  },
  {
    name: "authors and signatures in a title and criteria",
    threats: ["T10"],
    withstood: { file: documents, title: "name no author, and would as they were written" },
  },
  {
    name: "files that git refuses to take, for gates to see",
    threats: ["T44", "T46"],
    withstood: { file: unseen, title: "which no commit has; in the work tree it would" },
  },
  {
    name: "a tree too deep to be named",
    threats: ["T39", "T45"],
    withstood: { file: unseen, title: "a tree too deep to be named ends no run" },
  },
  {
    name: "another account's key, where the own one stays outside",
    threats: ["T19", "T20"],
    withstood: { file: guarded, title: "another key does not get out in" },
    bites: { file: guarded, title: "a program with a key of its own sends all of this" },
  },
  {
    name: "an approval that the reviewer only quotes",
    threats: ["T48", "T49"],
    withstood: {
      file: "test/e2e/cheats.test.ts",
      title: "which the reviewer quotes, approves nothing",
    },
    bites: { file: undefended, title: "with the reviewer's own token the quotation approves" },
  },
];
