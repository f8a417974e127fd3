import { expect, test } from "vitest";
import { sampled } from "../../setup/sampled.ts";
import { task } from "../../support/builders/session.ts";
import { createDyingMachine } from "../../support/crash/dying-journal.ts";
import { createProject } from "../../support/project/project.ts";
import { webAppFiles, webAppServices } from "../../support/services/web-app.ts";

const loop = [
  { type: "verify_start" },
  { type: "verify_phase_end" },
  { type: "fix_start" },
  { type: "fix_call_start" },
  { type: "fix_call_end" },
  { type: "fix_call_start", nth: 2 },
  { type: "fix_call_end", nth: 2 },
  { type: "fix_checked" },
  { type: "verify_start", nth: 2 },
  { type: "verify_phase_end", nth: 2 },
  { type: "fix_end" },
  { type: "fix_committed" },
];

test.each(sampled(loop, 1))(
  "killed after %o, a resumed session repairs the program once",
  async (last) => {
    const { backend } = await webAppServices();
    const files = webAppFiles();
    await using project = await createProject({
      tasks: [task("T-001")],
      files: { ...files, "backend.mjs": `process.exit(3);\n${files["backend.mjs"]}` },
      config: { services: { backend } },
      agent: { fix: "sed -i '/^process.exit(3);$/d' backend.mjs; signal fix-done" },
      wrap: createDyingMachine(last),
    });
    const flags = ["--post-verify", "--fix"];
    await project.ralph("run", ...flags);
    const { exitCode, stdout, facts } = await project.run("--resume", ...flags);
    expect(exitCode, stdout).toBe(0);
    expect(facts("fix_committed")).toHaveLength(1);
    expect(project.commits()).toEqual([
      expect.stringMatching(/^feat\(T-001\)/),
      "fix: backend: it ended with exit code 3",
    ]);
    expect(project.git("rev-parse", "HEAD")).toBe(facts("fix_committed")[0]?.commit);
    expect(project.git("status", "--porcelain")).toBe("");
    expect((await project.ralph("audit")).exitCode).toBe(0);
  },
);
