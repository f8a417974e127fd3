import * as z from "zod";
import { Glob, VariableName } from "../base/fields.ts";

const mebibyte = 1024 ** 2;

/** Protected paths, and limits for the size of a change (design 5). */
export const Protect = z.strictObject({
  allow: z
    .array(Glob)
    .default([])
    .describe(
      "Protected paths that agents may change after all, such as .github/workflows/docs.yml",
    ),
  max_files: z.int().min(1).default(300).describe("Most files one task may change"),
  max_patch_bytes: z
    .int()
    .min(1)
    .default(4 * mebibyte)
    .describe("Largest patch of one task, in bytes"),
  max_file_bytes: z
    .int()
    .min(1)
    .default(mebibyte)
    .describe("Largest file a task may add, in bytes"),
});
export type Protect = z.output<typeof Protect>;

/** How agents and gates are confined (design 5). */
export const Sandbox = z.strictObject({
  mode: z
    .enum(["auto", "required", "off"])
    .default("auto")
    .describe("auto: use it if it works; required: stop if it does not; off: never"),
  network: z
    .enum(["host"])
    .default("host")
    .describe("Network inside the sandbox. So far there is only the machine's own"),
  writable: z
    .array(z.string().startsWith("/", "must be an absolute path"))
    .default([])
    .describe("Absolute paths outside the work tree that stay writable, such as package caches"),
  env: z
    .array(VariableName)
    .default([])
    .describe("Names of further environment variables that programs in the sandbox may see"),
});
export type Sandbox = z.output<typeof Sandbox>;
