import { describe, expect } from "vitest";
import { thorough } from "../setup/sampled.ts";
import { committed, program } from "../support/action/arrange.ts";
import { type ActionProject, createActionProject } from "../support/action/project.ts";
import { onlyJob, outputsOf, stepWorkflow } from "../support/action/workflow.ts";
import { task } from "../support/builders/session.ts";

type Good = {
  title: string;
  given?: Record<string, string>;
  arrange?: (github: ActionProject) => void;
  depth?: string;
  warns?: RegExp;
  author?: string;
};
const bot = "github-actions[bot] <41898282+github-actions[bot]@users.noreply.github.com>";

const odd: Good[] = [
  {
    title: "a shallow clone with LFS files and a missing submodule",
    depth: "1",
    arrange: committed(({ project }) => {
      project.write("x.bin", "version https://git-lfs.github.com/spec/v1\n");
      project.git("add", "-A");
      project.write(".gitattributes", "*.bin filter=lfs diff=lfs merge=lfs -text\n");
      project.write(".gitmodules", '[submodule "lib"]\n\tpath = lib\n\turl = ../lib.git\n');
      const entry = `160000,${project.git("rev-parse", "HEAD")},lib`;
      project.git("update-index", "--add", "--cacheinfo", entry);
    }),
  },
  {
    title: "configuration and task list at other paths, and a title that contains runner commands",
    given: { config: "ci/ralph.yml", "prd-json": "ci/tasks.json" },
    arrange: committed(({ project }) => {
      const prd = JSON.parse(project.read(".ralph/prd.json"));
      prd.tasks[0].title = "::error::x ##[error]y";
      project.write("ci/tasks.json", JSON.stringify(prd));
      project.write("ci/ralph.yml", project.read(".ralph/ralph.yml"));
      project.git("rm", "-q", ".ralph/prd.json", ".ralph/ralph.yml");
    }),
  },
  {
    title: "a runner without bubblewrap, with a warning",
    given: { sandbox: "auto" },
    arrange: program("bwrap", "exit 1"),
    warns: /No sandbox: agents can .*the token it pushes with/,
  },
];

describe("unusual projects work: the branch is pushed, with GitHub's bot as the default committer", () => {
  thorough.each(odd)("$title", async ({ given, arrange, depth, warns }) => {
    await using github = await createActionProject({ tasks: [task("T-001")] });
    arrange?.(github);
    const PATH = `${github.project.folder}/bin:${process.env.PATH}`;
    await using result = await github.run(stepWorkflow(given, depth), { env: { PATH } });
    const job = onlyJob(result);
    expect(job.annotations).toEqual(
      warns
        ? [expect.objectContaining({ level: "warning", message: expect.stringMatching(warns) })]
        : [],
    );
    expect(result.conclusion).toBe("success");
    expect(outputsOf(job)).toMatchObject({ status: "completed", "exit-code": "0" });
    const authors = github.remoteGit("log", "--format=%an <%ae>", "main..ralph/example");
    expect([...new Set(authors.split("\n"))]).toEqual([bot]);
    github.remoteGit("fsck", "--strict");
  });
});
