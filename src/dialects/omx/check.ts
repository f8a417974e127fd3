import { checkShape } from "../../schema/base/check-shape.ts";
import { errorAt, type Finding } from "../../schema/base/finding.ts";
import type { ForeignTree } from "../dialect.ts";
import { checkJson, checkTaskList } from "../json-text.ts";
import { modes, type OmxFile, omxFileAt } from "./paths.ts";
import { checkOmxPrd } from "./prd-block.ts";
import { OmxLedger, OmxMarker, OmxSession } from "./schema/files.ts";
import { checkModeState, type ModeFile, readModes } from "./scope.ts";

/** All findings in one file; places in Markdown are lines. */
export function checkOmxFile(path: string, text: string): readonly Finding[] {
  const file = omxFileAt(path);
  if (!file || file.kind === "legacy-progress") return [];
  if (file.kind === "prd") return checkOmxPrd(path, text);
  return checkJson(text, (value) => checkValue(path, file, value));
}

function checkValue(path: string, file: OmxFile, value: unknown): readonly Finding[] {
  switch (file.kind) {
    case "mode":
      return checkModeState(file.mode, value).findings;
    case "legacy-prd":
      return checkTaskList(path, value);
    default: {
      const shape = checkShape(schemas[file.kind as keyof typeof schemas], value);
      return shape.kind === "valid" ? [] : shape.findings;
    }
  }
}

const schemas = { session: OmxSession, ledger: OmxLedger, marker: OmxMarker };

/** Modes that exclude each other in a scope, unless one is linked to the other (compatibility 2). */
const exclusive: readonly string[] = ["autopilot", "ralph", "ultrawork"];

/** Active modes that exclude each other; the finding is at the later one of the two. */
export function checkOmxTree(tree: ForeignTree): (Finding & { file: string })[] {
  const atWork = readModes(tree)
    .filter(({ mode, state }) => state.active && exclusive.includes(mode))
    .toSorted((a, b) => modes.indexOf(b.mode) - modes.indexOf(a.mode));
  return atWork.flatMap((one) => {
    const other = atWork.find((each) => excludes(one, each));
    if (!other || atWork.indexOf(other) > atWork.indexOf(one)) return [];
    const message = `must be false: ${other.mode} is active too (${other.path}), and only one of the two may be; end them with \`ralph cancel\``;
    return [{ ...errorAt(["active"], message), file: one.path }];
  });
}

function excludes(one: ModeFile, other: ModeFile): boolean {
  if (one.mode === other.mode || one.session !== other.session) return false;
  return !isLinked(one, other) && !isLinked(other, one);
}

const isLinked = ({ state }: ModeFile, { mode }: ModeFile) =>
  state.linked_mode === mode || Boolean(state[`linked_${mode}`]);
