import * as z from "zod";
import { type Checked, checkShape, conclude } from "../base/check-shape.ts";
import { Timestamp } from "../base/fields.ts";
import { type Finding, warningAt } from "../base/finding.ts";
import { isHeading, outline } from "../tasks/foreign/outline.ts";

/** YAML at the top of a generated requirements document (specs 004 10.5). */
export const PrdFrontMatter = z
  .looseObject({
    generated_by: z.string().min(1).describe("Program that wrote the document: ralph-autopilot"),
    generated_at: Timestamp.describe("When it was written"),
    source_analysis: z.string().min(1).describe("The analysis it is based on"),
    mode: z.enum(["autonomous", "interactive"]).describe("Whether a person was asked"),
  })
  .meta({ title: "Front matter", description: "Front matter of a requirements document" });
export type PrdFrontMatter = z.infer<typeof PrdFrontMatter>;

/** Specs 004 10.5. */
const sections = ["Overview", "Requirements", "Acceptance Criteria"];

/** All errors and warnings of a requirements document: its front matter and its required sections. */
export function checkPrdDocument(value: unknown, text: string): Checked<PrdFrontMatter> {
  return conclude(checkShape(PrdFrontMatter, value), missingParts(text));
}

function missingParts(text: string): Finding[] {
  const headings = outline(text).filter(isHeading);
  const hasTitle = headings.some(({ level }) => level === 1);
  const titles = new Set(headings.map((heading) => heading.text.toLowerCase()));
  const missing = sections.filter((name) => !titles.has(name.toLowerCase()));
  return [
    ...(hasTitle ? [] : [warningAt([], 'has no title; add a line such as "# PRD: Login"')]),
    ...missing.map((name) => warningAt([], `has no section "## ${name}"`)),
  ];
}
