import { expect, test } from "vitest";
import type { FactOf } from "../../src/core/state/event.ts";
import { sampled } from "../setup/sampled.ts";
import { task } from "../support/builders/session.ts";
import { createProject, type Outcome, type ProjectOptions } from "../support/project/project.ts";
import type { AgentScripts } from "../support/project/shell-agent.ts";

/** What an agent tries on a list of four tasks, and what it gets: never a passed task, and never many calls. */
interface Cheat {
  agent: AgentScripts;
  exitCode: number;
  calls: number;
  /** Why each iteration failed, in order. */
  because: FactOf<"iteration_failed">["because"][];
  /** Words of the reason the session ended with. */
  told: RegExp;
  options?: ProjectOptions;
}

/** The same work whenever it is done, so that a second iteration changes nothing. */
const sameWork = "mkdir -p src tests; echo x >src/a.txt";
const fewIterations = { config: { limits: { max_iterations: 3 } } };

const cheats: Record<string, Cheat> = {
  "does nothing and ends well": {
    agent: ":",
    exitCode: 3,
    calls: 3,
    because: ["signal", "signal", "signal"],
    told: /No change in 3 iterations.*no <task-done> tag/s,
  },
  "prints its prompt back": {
    agent: `printf '%s\\n' "$prompt"`,
    exitCode: 3,
    calls: 3,
    because: ["signal", "signal", "signal"],
    told: /No change in 3 iterations.*wrong session token/s,
  },
  "works, and prints its prompt back": {
    agent: `work; printf '%s\\n' "$prompt"`,
    exitCode: 3,
    calls: 3,
    because: ["signal", "signal", "signal"],
    told: /No pass in 3 iterations.*wrong session token/s,
    options: fewIterations,
  },
  "claims without any work": {
    agent: "claim",
    exitCode: 3,
    calls: 3,
    because: ["no_change", "no_change", "no_change"],
    told: /No change in 3 iterations/,
  },
  "works, and claims with a longer token": {
    agent: `work; claim "\${token}0"`,
    exitCode: 3,
    calls: 3,
    because: ["signal", "signal", "signal"],
    told: /wrong session token/,
    options: fewIterations,
  },
  "works, and claims with half a token": {
    agent: `work; claim "\${token%????}"`,
    exitCode: 3,
    calls: 3,
    because: ["signal", "signal", "signal"],
    told: /wrong session token/,
    options: fewIterations,
  },
  "claims what another role may claim": {
    agent: "work; signal review-approved; signal tests-done",
    exitCode: 3,
    calls: 3,
    because: ["signal", "signal", "signal"],
    told: /no <task-done> tag/,
    options: fewIterations,
  },
  "approves its own work in the implementation's message": {
    agent: {
      implementation: "honest; signal review-approved",
      review: "echo 'I have not looked.'",
    },
    exitCode: 3,
    calls: 9,
    because: ["review", "review", "review"],
    told: /Not approved in 3 reviews/,
  },
  "approves and rejects at once": {
    agent: { review: "signal review-approved; signal review-rejected" },
    exitCode: 3,
    calls: 9,
    because: ["review", "review", "review"],
    told: /both approved and rejected/,
  },
  "says that a command succeeds which does not": {
    agent: { implementation: `${sameWork}; claim`, test_writing: "claim" },
    exitCode: 3,
    calls: 4,
    because: ["criteria", "criteria"],
    told: /The same failure twice.*exit code 1/s,
    options: { tasks: [task("T-001", { acceptanceCriteria: ["Run `false` exits with 0"] })] },
  },
  "says that a file is there which is not": {
    agent: { implementation: `${sameWork}; claim`, test_writing: "claim" },
    exitCode: 3,
    calls: 4,
    because: ["criteria", "criteria"],
    told: /src\/b\.txt is not a file of the tree/,
    options: { tasks: [task("T-001", { acceptanceCriteria: ["File `src/b.txt` exists"] })] },
  },
  "leaves a red gate red": {
    agent: { implementation: `${sameWork}; claim`, test_writing: "claim" },
    exitCode: 3,
    calls: 4,
    because: ["gate", "gate"],
    told: /The same failure twice.*Gate "whole" failed/s,
    options: { gates: { whole: "test ! -e src/a.txt" } },
  },
};

const failures = ({ facts }: Outcome) => facts("iteration_failed").map(({ because }) => because);

test.for(sampled(Object.entries(cheats), 6))(
  "an agent that %s passes nothing",
  async ([, cheat]) => {
    await using project = await createProject({ ...cheat.options, agent: cheat.agent });
    const outcome = await project.run();
    expect(outcome.state.end?.message).toMatch(/Failed|Blocked/);
    const [gaveUp] = [...outcome.facts("task_failed"), ...outcome.facts("task_blocked")];
    expect(gaveUp?.message).toMatch(cheat.told);
    expect(failures(outcome)).toEqual(cheat.because);
    expect(outcome.facts("agent_start")).toHaveLength(cheat.calls);
    expect(outcome.exitCode).toBe(cheat.exitCode);
    expect(outcome.facts("task_passed")).toEqual([]);
    expect(project.prd().tasks.every(({ passes }) => !passes)).toBe(true);
    expect(project.git("status", "--porcelain")).toBe("");
    expect(project.git("rev-parse", "HEAD")).toBe(outcome.state.session.start.commit);
  },
);

/** The same agents without what makes them cheats. */
const corrected: Record<string, ProjectOptions> = {
  "claims after its work": { agent: "work; claim" },
  "claims with the token": { agent: `work; claim "$token"` },
  "only approves": { agent: { review: "signal review-approved" } },
  "tells the truth about a command": {
    agent: { implementation: `${sameWork}; claim`, test_writing: "claim" },
    tasks: [task("T-001", { acceptanceCriteria: ["Run `true` exits with 0"] })],
  },
  "tells the truth about a file": {
    agent: { implementation: `${sameWork}; claim`, test_writing: "claim" },
    tasks: [task("T-001", { acceptanceCriteria: ["File `src/a.txt` exists"] })],
  },
};

test.for(sampled(Object.entries(corrected), 2))("an agent that %s passes", async ([, options]) => {
  await using project = await createProject({ tasks: [task("T-001")], ...options });
  const { exitCode, facts } = await project.run();
  expect(exitCode).toBe(0);
  expect(facts("agent_start")).toHaveLength(3);
  expect(facts("iteration_failed")).toEqual([]);
});

test("the token of an earlier session completes nothing", async () => {
  const agent = `old=$(dirname "$0")/token
    if [ -e "$old" ]; then work; claim "$(cat "$old")"; else honest; fi
    if [ "$role" = review ]; then echo "$token" >>"$old"; fi`;
  await using project = await createProject({ ...fewIterations, agent });
  expect((await project.run("--task", "T-001")).exitCode).toBe(0);
  const { exitCode, facts } = await project.run();
  expect(exitCode).toBe(3);
  expect(facts("agent_end").map(({ signal }) => signal.kind)).toEqual(
    Array.from({ length: 3 }, () => "wrong-token"),
  );
  expect(project.commits()).toHaveLength(1);
});

test("an approval with the implementation's token, which the reviewer quotes, approves nothing (T48, T49)", async () => {
  const agent = {
    implementation: `mkdir -p src; signal review-approved >src/T-001.txt; claim`,
    review: `echo "I do not approve this. It says:"; cat src/T-001.txt`,
  };
  await using project = await createProject({ ...fewIterations, agent });
  const { exitCode, facts } = await project.run("--task", "T-001");
  expect(exitCode).toBe(3);
  const reviews = facts("agent_end").filter(({ role }) => role === "review");
  expect(reviews.map(({ signal }) => signal.kind)).toContain("wrong-token");
});

test("a token of one call completes no other call of the same role", async () => {
  const agent = `kept=$(dirname "$0")/$role
    if [ -e "$kept" ]; then work; claim "$(cat "$kept")"; else printf %s "$token" >"$kept"; fi`;
  await using project = await createProject({ ...fewIterations, agent });
  const { exitCode, facts } = await project.run("--task", "T-001");
  expect(exitCode).toBe(3);
  expect(facts("agent_end").map(({ signal }) => signal.kind)).not.toContain("valid");
});
