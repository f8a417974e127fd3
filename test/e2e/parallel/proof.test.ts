import { expect } from "vitest";
import { proveHead } from "../../../src/session/clean-room/prove-head.ts";
import { locateProject } from "../../../src/session/open/locate-project.ts";
import { thorough } from "../../setup/sampled.ts";
import { task } from "../../support/builders/session.ts";
import { createProject, sessionFolders } from "../../support/project/project.ts";

thorough(
  "what landed side by side is proved again in a clone, and its report renders",
  async () => {
    const tasks = ["T-001", "T-002", "T-003"].map((id) =>
      task(id, {
        priority: 1,
        acceptanceCriteria: [`File \`src/${id}.txt\` exists`, "It reads well"],
      }),
    );
    await using project = await createProject({ tasks, config: { limits: { parallel: 3 } } });
    const { exitCode, facts } = await project.run();
    expect(exitCode).toBe(0);
    expect(facts("task_merged")).toHaveLength(2);
    const { store } = await locateProject(project.system, project.root);
    const [bundle = "none"] = sessionFolders(project.stateDir);
    const { signal: cancel } = new AbortController();
    const { root } = project;
    const proof = await proveHead(project.system, {
      root,
      store,
      bundle,
      cancel,
      notice: () => {},
    });
    expect(proof).toMatchObject({ kind: "proved", problems: [] });
    expect(proof.criteria.filter(({ ok }) => ok)).toHaveLength(3);
    const page = await project.ralph("report", "--html", "../report.html");
    expect(page.exitCode).toBe(0);
    expect(project.read("../report.html")).toContain("T-003");
    const timeline = await project.ralph("status", "--timeline");
    expect(timeline.stdout).toContain("assigned to agent-3");
    expect(timeline.stdout).toContain("merged with tasks that passed meanwhile");
  },
);
