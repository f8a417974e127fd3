import { isHeading, outline, sectionOf } from "./outline.ts";
import { shorten, slug } from "./words.ts";

/** The facts that a change request or a requirements document states around its task list. */
export type RequestHead = {
  project: string;
  description: string;
  describedAt: number;
  branchName: string | undefined;
};

/** Project from the title, description from the summary, branch from a line "Branch:" or `prefix` and the file's name (compatibility 1.19). */
export function readHead(
  text: string,
  { file, prefix }: { file: string; prefix: string | undefined },
): RequestHead {
  const blocks = outline(text);
  const name = requestName(file);
  const headings = blocks.filter(isHeading);
  const heading = headings.find(({ level }) => level === 1)?.text ?? "";
  const project = shorten(heading.replace(/^(?:CR|PRD):\s*/i, "").trim() || name, 200);
  const summary = headings.find((each) => /^summary:?$/i.test(each.text));
  const first = summary && sectionOf(blocks, summary).find(({ kind }) => kind === "paragraph");
  const branch = /^\*\*Branch:\*\*[ \t]+`?([\w./-]+)`?[ \t]*\\?\r?$/m.exec(text)?.[1];
  const made = prefix === undefined ? undefined : `${prefix}${slug(name) || "tasks"}`;
  const described = first?.kind === "paragraph" ? first : undefined;
  return {
    project,
    description: described?.text || project,
    describedAt: described?.start ?? 0,
    branchName: branch ?? made,
  };
}

/** `changes/CR-MVP-COMPLETION.md` is named MVP-COMPLETION. */
export function requestName(file: string): string {
  const name = file.slice(file.lastIndexOf("/") + 1).replace(/\.\w+$/, "");
  return name.replace(/^(?:cr|prd)-/i, "") || name;
}
