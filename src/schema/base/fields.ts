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

export const Glob = z.string().min(1).max(500);
export const ShellCommand = z.string().min(1).max(20_000);

/** Neither a commit message nor an argument of a program can hold NUL. */
export const Text = z.string().regex(/^[^\0]*$/, "must not hold a NUL character");

export const WebAddress = z.url({
  protocol: /^https?$/,
  error: 'must be an address such as "https://example.com/page"',
});

/** A path of this machine, or below an address. */
export const rooted = (message: string) => z.string().regex(/^\//, message);
