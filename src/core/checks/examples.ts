import type { Hunk } from "./hunks.ts";

/**
 * The part of a hunk that changes old examples which test runners run (`cargo test`, `doctest`), as a hunk of its own: the
 * lines it changes beside them count as unchanged. Undefined where it changes none. `before`: the old text of the file.
 */
export function examplePart(hunk: Hunk, before: string): Hunk | undefined {
  const examples = exampleLines(hunk.path, before);
  const at = hunk.patch.search(/^@@ /m);
  // A remark of git's (`\ No newline at end of file`) stays with its line.
  const [header = "", ...lines] = hunk.patch
    .slice(at)
    .replace(/\n$/, "")
    .split(/\n(?!\\ )/);
  const [, from, to] = /^@@ -(\d+)(?:,\d+)? \+(\d+)/.exec(header) ?? [];
  let [old, now, first] = [Number(from), Number(to), 0];
  const body = runsOf(lines).flatMap((run) => {
    const [removed, added] = [count(run, "-"), count(run, "+")];
    const isKept =
      removed > 0 &&
      Array.from(run.keys())
        .slice(0, removed)
        .every((index) => examples.has(old + index));
    if (isKept && first === 0) first = now;
    const isContext = removed + added === 0;
    old += isContext ? run.length : removed;
    now += isContext ? run.length : added;
    if (isContext || isKept) return run;
    return run.filter((line) => !line.startsWith("-")).map(asContext);
  });
  if (first === 0) return undefined;
  const [was, is] = [body.length - count(body, "+"), body.length - count(body, "-")];
  const patch = `${hunk.patch.slice(0, at)}@@ -${from},${was} +${to},${is} @@\n${body.join("\n")}\n`;
  return { path: hunk.path, line: first, patch };
}

/** Lines of one hunk in runs of changed and of unchanged ones; git writes what a run removes before what it adds. */
function runsOf(lines: readonly string[]): string[][] {
  const runs: string[][] = [];
  for (const line of lines) {
    const last = runs.at(-1);
    if (last?.[0] !== undefined && isChange(last[0]) === isChange(line)) last.push(line);
    else runs.push([line]);
  }
  return runs;
}

const isChange = (line: string) => /^[-+]/.test(line);
const asContext = (line: string) => line.replace(/^\+/, " ");
const count = (lines: readonly string[], sign: string) =>
  lines.filter((line) => line.startsWith(sign)).length;

/** Whether the comments of this language may hold examples that run. */
export const holdsExamples = (path: string): boolean => /\.(?:rs|py|exs?)$/.test(path);

/** The lines of a text, counted from 1, that belong to examples in its comments. */
export function exampleLines(path: string, text: string): Set<number> {
  const isExample = path.endsWith(".rs") ? inFence() : afterPrompt();
  return new Set(text.split("\n").flatMap((line, index) => (isExample(line) ? [index + 1] : [])));
}

/** Rust runs the fenced code of its documentation, unless the fence names another language. */
function inFence(): (line: string) => boolean {
  let isCode = false;
  let isRun = false;
  return (line) => {
    const [comment, fence, attributes = ""] =
      /^\s*\/\/[/!]\s*(?:(`{3,}|~{3,})(.*))?/.exec(line) ?? [];
    // The end of a comment ends its code, too.
    if (comment === undefined) isCode = false;
    if (fence === undefined) return isCode && isRun;
    isCode = !isCode;
    if (isCode) isRun = attributes.trim() === "" || runs.test(attributes);
    return isRun;
  };
}
const runs = /^\s*(?:rust|should_panic|no_run|compile_fail|edition\d+|test_harness|[\s,])+$/;

/** Python and Elixir run what follows a prompt; the answer ends with an empty line or with the comment. */
function afterPrompt(): (line: string) => boolean {
  let isInside = false;
  return (line) => {
    if (/^\s*(?:>>>|iex(?:\(\d+\))?>)\s/.test(line)) isInside = true;
    else if (/^\s*(?:$|"""|''')/.test(line)) isInside = false;
    return isInside;
  };
}
