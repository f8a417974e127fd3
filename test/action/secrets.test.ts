import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { isMeasured, runsAll, thorough } from "../setup/sampled.ts";
import { createCanaries, createCanaryFinder } from "../support/canaries/canaries.ts";
import { type CanaryJob, createCanaryJob, lurk, type Swept } from "../support/canaries/job.ts";
import { inOneJob, inThreeJobs, writeCarelessAction } from "../support/canaries/workflow.ts";
import { hasBubblewrap } from "../support/project/sandbox.ts";
import { olderCheckout } from "../support/runner/stand-ins/checkout.ts";

/** The two credentials its driver names: the only secrets an agent is given (design 5). */
const own = ["anthropic", "oauth"];
const modelKeys = [...own, "openai"];
/** What the whole job has in its environment, whatever step it is. */
const jobWide = ["identity", "npm", "runtime"];

/** Root reads the memory of other processes; on a runner of GitHub's only sudo does. */
const readsMemory = process.getuid?.() === 0;
const inMemory = (secrets: string[]) => (readsMemory ? { memory: secrets.toSorted() } : {});

/** Before a step's program runs there is a shell with all of its variables, and nobody else yet. */
const isStarter = ({ command }: Swept["sights"][number]) =>
  /^(?:bash --noprofile --norc -e -o pipefail|env -u) /.test(command);

/** The processes that show a secret to an observer outside; the same with the sandbox and without. */
function expectCleanProcesses({ sights, commands }: Swept): void {
  expect(commands).toContainEqual(expect.stringMatching(/dist\/action\.js run$/));
  const started = sights.filter((sight) => !isStarter(sight));
  expect(started.filter(({ where }) => where === "cmdline")).toEqual([]);
  const holders = started.filter(({ isAgent }) => !isAgent);
  expect(holders.filter(({ secret }) => !jobWide.includes(secret))).toEqual([]);
  const agents = started.filter(({ isAgent }) => isAgent).map(({ secret }) => secret);
  expect([...new Set(agents)].sort()).toEqual(own);
}

test("the sweep finds a secret in every form, and half of one, and nothing in other texts", () => {
  const { values } = createCanaries();
  const find = createCanaryFinder(values);
  const value = values.npm ?? "";
  const bytes = Buffer.from(value);
  const zipped = gzipSync(`a ${value} b`);
  const forms: Record<string, string | Buffer> = {
    plain: value,
    base64: bytes.toString("base64"),
    "base64 in a longer text": Buffer.from(`name:${value}\n`).toString("base64"),
    hex: bytes.toString("hex").toUpperCase(),
    "percent signs": encodeURIComponent(value),
    "only percent signs": bytes.toString("hex").replace(/../g, "%$&"),
    reversed: [...bytes.toString("base64")].reverse().join(""),
    zipped,
    "zipped in base64": `x ${zipped.toString("base64")}`,
    "the first half": value.slice(0, -20),
    "the second half": value.slice(-20),
  };
  const missed = Object.entries(forms).filter(([, form]) => find(form).join() !== "npm");
  expect(missed.map(([name]) => name)).toEqual([]);
  expect(find(createCanaries().values.npm ?? "")).toEqual([]);
});

describe.skipIf(!hasBubblewrap)("with the sandbox", () => {
  thorough(
    "an agent reads its own model credential and no other secret, a gate none, and none is left behind",
    async () => {
      await using job = await createCanaryJob("required");
      const swept = await job.run(inOneJob(job.agent, { "create-pr": "true" }));
      await using result = swept.result;
      expect(result.conclusion).toBe("success");
      const found = swept.found("agent", "all");
      expect(found.env).toEqual(own);
      expect([...new Set(Object.values(found).flat())].sort()).toEqual(own);
      expect(swept.found("gate", "all")).toEqual({});
      expectCleanProcesses(swept);
      expect(swept.leaked()).toEqual({});
    },
  );

  test.runIf(isMeasured)(
    "the same holds in three jobs whose checkouts keep the token in .git/config",
    async () => {
      await using job = await createCanaryJob("required");
      const uses = { "actions/checkout": olderCheckout };
      const swept = await job.run(inThreeJobs(job.agent), { uses });
      await using result = swept.result;
      expect(result.results).toEqual({ agents: "success", verify: "success", publish: "success" });
      expect([...new Set(Object.values(swept.found("agent", "agents")).flat())].sort()).toEqual(
        own,
      );
      expect(swept.found("gate", "agents")).toEqual({});
      expect(swept.found("gate", "verify")).toEqual({});
      expectCleanProcesses(swept);
      expect(swept.leaked()).toEqual({});
    },
  );
});

/** The third line of the table of design 5: in one job the push has its token while the machine is still the agents'. */
describe.skipIf(process.platform !== "linux")("a process an agent leaves behind", () => {
  thorough("reads the token of the push without the sandbox", async () => {
    await using job = await createCanaryJob("off", lurk);
    const swept = await job.run(inOneJob(job.agent));
    await using _ = swept.result;
    expect(swept.lurked()).toContain("github");
  });

  test.runIf(hasBubblewrap && runsAll)("ends with its call in the sandbox", async () => {
    await using job = await createCanaryJob("required", lurk);
    const swept = await job.run(inOneJob(job.agent));
    await using result = swept.result;
    expect(result.conclusion).toBe("success");
    expect(swept.lurked()).toEqual([]);
  });
});

/** What the table of design 5 says does not hold: the step's own process can be looked into. */
const exposed = { environ: jobWide, temporary: ["npm"] };
/** Gates run the project's own programs in the user's home; an agent has a home of its own. */
const gateExposed = { ...exposed, home: ["npm"] };

describe.skipIf(process.platform !== "linux")("without the sandbox", () => {
  let job: CanaryJob;
  let plain: Swept;
  beforeAll(async () => {
    job = await createCanaryJob("off");
    plain = await job.run(inOneJob(job.agent));
  });
  afterAll(async () => {
    await plain.result[Symbol.asyncDispose]();
    await job[Symbol.asyncDispose]();
  });

  // One of both shows a contributor what leaks.
  const isNeeded = runsAll || !hasBubblewrap;
  test.runIf(isNeeded)(
    "an agent also reads the secrets of the whole job, and as root the memory of the step; none is left behind",
    () => {
      expect(plain.result.conclusion).toBe("success");
      expect(plain.found("agent", "all")).toEqual({
        ...exposed,
        env: own,
        environ: [...own, ...jobWide].sort(),
        ...inMemory([...modelKeys, ...jobWide]),
      });
      expect(plain.found("gate", "all")).toEqual({
        ...gateExposed,
        ...inMemory([...modelKeys, ...jobWide]),
      });
      expectCleanProcesses(plain);
      expect(plain.leaked()).toEqual({});
    },
  );

  thorough(
    "of three jobs, the proving one has no model key, and the working one no token",
    async () => {
      await using job = await createCanaryJob("off");
      const swept = await job.run(inThreeJobs(job.agent));
      await using result = swept.result;
      expect(result.results).toEqual({ agents: "success", verify: "success", publish: "success" });
      expect(swept.found("gate", "agents")).toEqual({
        ...gateExposed,
        ...inMemory([...modelKeys, ...jobWide]),
      });
      expect(swept.found("gate", "verify")).toEqual({ ...gateExposed, ...inMemory(jobWide) });
      expectCleanProcesses(swept);
      expect(swept.leaked()).toEqual({});
    },
  );

  thorough(
    "an agent and the sweep find keys that stay in the step's environment and arguments",
    async () => {
      await using job = await createCanaryJob("off");
      const folder = join(job.github.project.folder, "careless");
      mkdirSync(folder);
      const uses = { "org/ralph-action": writeCarelessAction(folder) };
      const swept = await job.run(inOneJob(job.agent), { uses });
      await using result = swept.result;
      expect(result.conclusion).toBe("success");
      for (const where of ["environ", "cmdline"] as const) {
        expect(swept.found("agent", "all")[where]).toEqual(expect.arrayContaining(modelKeys));
        expect(swept.sights).toContainEqual({
          ...{ secret: "openai", where, isAgent: false },
          command: expect.stringContaining("dist/action.js run"),
        });
      }
      expect(() => expectCleanProcesses(swept)).toThrow();
    },
  );

  thorough(
    "debug logging prints no more, and the output of agents is printed without secrets",
    async () => {
      await using debugged = await createCanaryJob("off");
      await using talkative = await createCanaryJob("off");
      const vars = { ACTIONS_STEP_DEBUG: "true" };
      const debug = await debugged.run(inOneJob(debugged.agent), { vars });
      await using _debug = debug.result;
      expect(shapeOf(debug)).toEqual(shapeOf(plain));
      expect(debug.leaked()).toEqual({});
      const verbose = await talkative.run(inOneJob(talkative.agent, { verbose: "true" }), { vars });
      await using _verbose = verbose.result;
      expect(shapeOf(verbose).length).toBeGreaterThan(shapeOf(plain).length + 10);
      expect(verbose.leaked()).toEqual({});
    },
  );
});

/** The raw log without times, paths and ids, which are never the same. */
function shapeOf({ result }: Swept): string[] {
  const changing = /\/\S+|\b\d{8}-\d{6}-\w+|\b[0-9a-f]{12}\b|[\d.]+ (?:ms|s|min)\b|\s+/g;
  return result.jobs.flatMap(({ rawLog }) => rawLog.map((line) => line.replace(changing, " ")));
}
