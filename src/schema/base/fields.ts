import * as z from "zod";

/** Control characters, in a form that every program with JSON schemas reads. */
export const control = String.raw`\u0000-\u001f\u007f-\u009f`;
export const pattern = (source: string) => new RegExp(source, "u");

/** Written in UTC; other offsets are accepted. */
export const Timestamp = z.iso.datetime({
  offset: true,
  error: 'must be a time such as "2026-01-25T14:30:52Z"',
});

/** A path below the project root, with `/` between parts. It cannot lead outside or into git's own folder (T40). */
export const RelativePath = z
  .string()
  .regex(
    pattern(String.raw`^(?![\/~])(?!(?:.*\/)?(?:\.\.|\.[Gg][Ii][Tt])(?:\/|$))[^${control}\\]+$`),
    'must be a path inside the repository, without a leading "/", without ".." and not below ".git"',
  );

/** A path below the work tree, relative to the project root; `..` leads from a package to its workspace. */
export const RepositoryPath = z
  .string()
  .regex(
    pattern(
      String.raw`^(?![\/~])(?:\.\.\/)*(?!(?:.*\/)?(?:\.\.|\.[Gg][Ii][Tt])(?:\/|$))[^${control}\\]+$`,
    ),
    'must be a path inside the repository, without a leading "/", with ".." only at its start and not below ".git"',
  );

/** A branch name that git accepts and that no command mistakes for an option. */
export const GitBranch = z
  .string()
  .max(244)
  .regex(
    pattern(
      String.raw`^(?![\-\/.])(?!.*(?:\.\.|\/\/|\/\.|@\{))[^\s${control}~^:?*\[\\]+(?<!\.lock)(?<![\/.])$`,
    ),
    "must be a branch name git accepts, such as main or release/1.0",
  );

/** One argument of an agent program, so never an option and without spaces. */
export const ModelName = z
  .string()
  .max(200)
  .regex(
    pattern(String.raw`^(?!-)[^\s${control}]+$`),
    'must be one word that does not start with "-", such as haiku',
  );

export const VariableName = z
  .string()
  .regex(/^[A-Za-z_][A-Za-z0-9_]*$/, "must be the name of an environment variable");

export const VariableNames = z.array(VariableName).default([]);

/** One line of text; the specification states no form. */
export const GateName = z
  .string()
  .max(200)
  .regex(
    pattern(String.raw`^[^\s${control}]([^${control}]*[^\s${control}])?$`),
    "must be one line without spaces around it",
  );

/** Names of services and setup steps; they become parts of file names. */
export const ShortName = z
  .string()
  .max(60)
  .regex(/^[a-z0-9_-]+$/, 'may only hold a-z, 0-9, "_" and "-"');

/** A whole number in a range. */
export const between = (min: number, max: number) => z.int().min(min).max(max);

export const Glob = z.string().min(1).max(500);
export const Globs = z.array(Glob).default([]);
export const ShellCommand = z.string().min(1).max(20_000);

/** Neither a commit message nor an argument of a program can hold NUL. */
export const Text = z.string().regex(/^[^\0]*$/, "must not hold a NUL character");

export const WebAddress = z.url({
  protocol: /^https?$/,
  error: 'must be an address such as "https://example.com/page"',
});

/** A path of this machine, or below an address. */
export const rooted = (message: string) => z.string().regex(/^\//, message);

/** In which order a task's tests and its work are written. */
export const TestOrder = z.enum(["tests_first", "tests_last"]);

/** UTC second and random hex digits: 20260125-143052-a7b3c9 (compatibility 1.1). */
export const SessionId = z
  .string()
  .regex(/^\d{8}-\d{6}-[a-f0-9]+$/, "must look like 20260125-143052-a7b3c9");

/** Proves that a signal was meant for this session (specs 004 8.3). Compared as a whole, never by its prefix. */
export const SessionToken = z
  .string()
  .regex(/^ralph-\d{8}-\d{6}-[a-f0-9]+$/, "must look like ralph-20260125-143052-a7b3c9f2d1e8");

/** An amount in US dollars from an option, an input or a variable; parsed to a number. */
export const UsdAmount = z
  .string()
  .regex(/^\d{1,9}(?:\.\d{1,6})?$/, "must be an amount in US dollars, such as 2.50")
  .transform(Number);

/** A positive whole number from an option, an input or a variable; parsed to a number. */
export const Count = z
  .string()
  .regex(/^[1-9]\d{0,8}$/, "must be a whole number from 1 on")
  .transform(Number);

/** A host name, `*.` and a name for all names below it, or an address; with `:port`, else ports 80 and 443. */
export const hostPattern =
  /^(?<host>(?:\*\.)?[A-Za-z0-9_-]+(?:\.[A-Za-z0-9_-]+)*|\[[0-9A-Fa-f:.]+\])(?::(?<port>\d{1,5}))?$/;

/** The same without names of its groups, which not every program with JSON schemas reads. */
const unnamed = new RegExp(hostPattern.source.replaceAll(/\?<\w+>/g, "?:"));

export const HostEntry = z
  .string()
  .regex(
    unnamed,
    "must be a host without a scheme: a name, *.name or an address, such as docs.example.com or [::1]:8080",
  );
