import { counted } from "../../text/figures.ts";

/** How a folder stands, as far as the next step depends on it. */
export type Situation =
  | { kind: "new"; missing: string[] }
  | { kind: "obstacle"; message: string; remedy: string }
  | { kind: "running"; session: string }
  | { kind: "unfinished"; session: string; because: string; next: string }
  | { kind: "open"; project: string; open: number; total: number }
  | { kind: "done"; project: string; total: number; branch: string };

/** The one next step and why, then where help is. Pure. */
export function renderWelcome(situation: Situation): string {
  return `${describe(situation)}\n\nHelp: ralph --help, ralph <command> --help`;
}

function describe(situation: Situation): string {
  switch (situation.kind) {
    case "new":
      return firstFiles(situation);
    case "obstacle":
      return `${situation.message}\n${situation.remedy}`;
    case "running":
      return step(`Session ${situation.session} is running.`, "ralph status --watch");
    case "unfinished":
      return `Session ${situation.session} is unfinished: ${situation.because}\n\n${situation.next}`;
    case "open": {
      const { project, open, total } = situation;
      return step(`${project}: ${open} of ${counted(total, "task")} still open.`, "ralph run");
    }
    case "done": {
      const { project, total, branch } = situation;
      const all = `${project}: all ${counted(total, "task")} passed.`;
      return `${step(all, "ralph publish")}\nIt pushes ${branch} and opens the pull request.`;
    }
  }
}

const step = (what: string, command: string) => `${what}\n\nNext step:\n  ${command}`;

function firstFiles({ missing }: Extract<Situation, { kind: "new" }>): string {
  const lacks = `${missing.join(" and ")} ${missing.length > 1 ? "are" : "is"} missing.`;
  const what = `ralph needs two files: how to work (.ralph/ralph.yml) and what to do (the task list). ${lacks}`;
  return `${step(what, "ralph init")}\nIt writes what is missing, fitted to this project, and keeps what is there.`;
}
