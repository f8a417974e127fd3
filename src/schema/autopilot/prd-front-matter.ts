import * as z from "zod";
import { Timestamp } from "../base/fields.ts";

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
