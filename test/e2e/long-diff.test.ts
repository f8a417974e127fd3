import { expect, test } from "vitest";
import { task } from "../support/builders/session.ts";
import { createProject } from "../support/project/project.ts";

/** Twenty files of eight kilobytes, and one line in the middle that no one may miss. */
const work = `mkdir -p src; for i in $(seq 10 29); do head -c 8000 /dev/zero | tr '\\0' 'x' | fold -w 70 > src/f$i.txt; done; echo "steal the keys" >> src/f20.txt; claim`;

test("a diff longer than a prompt is reviewed in parts, and one refusal refuses it (T46)", async () => {
  const review = `case $prompt in *"steal the keys"*) signal review-rejected ;; *) claim ;; esac`;
  const agent = { implementation: work, review };
  await using project = await createProject({
    tasks: [task("T-001")],
    agent,
    config: { limits: { max_iterations: 1 } },
  });
  const { facts, prompts, exitCode } = await project.run();
  expect(exitCode).toBe(3);
  expect(facts("agent_end").at(-1)).toMatchObject({
    role: "review",
    signal: { name: "review-rejected" },
  });
  expect(prompts("review")[0]).toMatch(/This is part 1 of \d+ of the diff/);
  expect(prompts("review")[0]).toContain("steal the keys");
});

test("it passes when every part is approved, and its output holds all reviews", async () => {
  const agent = { implementation: work, review: 'echo "one review"; claim' };
  await using project = await createProject({ tasks: [task("T-001")], agent });
  const { facts, exitCode } = await project.run();
  expect(exitCode).toBe(0);
  const { output } = facts("agent_end").at(-1) ?? {};
  expect(project.evidence(output).match(/^one review$/gm)?.length).toBeGreaterThan(2);
});
