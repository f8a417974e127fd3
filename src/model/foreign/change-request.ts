import { type Block, outline } from "./outline.ts";
import { sectionOf } from "./task-block.ts";
import { shorten, slug } from "./words.ts";

/** What a change request or a requirements document says around its task list. */
export type RequestHead = { project: string; description: string; branchName: string | undefined };

/**
 * Project from the title, description from the first paragraph of the summary, branch from a line "Branch:" or else
 * from the name of the file (compatibility 1.19), if `prefix` says how the branches of the project begin.
 */
export function readHead(
  text: string,
  { file, prefix }: { file: string; prefix: string | undefined },
): RequestHead {
  const blocks = outline(text);
  const name = nameOf(file);
  const title = blocks.find((block) => block.kind === "heading" && block.level === 1);
  const heading = title?.kind === "heading" ? title.text : "";
  const project = shorten(heading.replace(/^(?:CR|PRD):\s*/i, "").trim() || name, 200);
  const summary = blocks.find(
    (block) => block.kind === "heading" && /^summary:?$/i.test(block.text),
  );
  const [first] = summary ? sectionOf(blocks, summary).filter(isParagraph) : [];
  const branch = /^\*\*Branch:\*\*[ \t]+`?([\w./-]+)`?[ \t]*\\?\r?$/m.exec(text)?.[1];
  const made = prefix === undefined ? undefined : `${prefix}${slug(name) || "tasks"}`;
  return { project, description: first?.text || project, branchName: branch ?? made };
}

const isParagraph = (block: Block) => block.kind === "paragraph";

/** `changes/CR-MVP-COMPLETION.md` is named MVP-COMPLETION. */
export function nameOf(file: string): string {
  const name = file.slice(file.lastIndexOf("/") + 1).replace(/\.\w+$/, "");
  return name.replace(/^(?:cr|prd)-/i, "") || name;
}
