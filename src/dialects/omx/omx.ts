import { errorAt, type Finding } from "../../schema/base/finding.ts";
import type { Dialect, ForeignTree } from "../dialect.ts";
import { checkBy, checkJson, checkTaskList } from "../json-text.ts";
import { cancelOmx, settleOmx } from "./change-state.ts";
import { modes, omxFileAt } from "./paths.ts";
import { checkOmxPrd, omxTasks } from "./prd-block.ts";
import { renderOmx } from "./render.ts";
import { OmxLedger, OmxMarker, OmxSession } from "./schema/files.ts";
import { checkOf, type ModeFile, readModes, readOmxRuns } from "./scope.ts";
import { upgradeFiles } from "./upgrade.ts";

/** The state files of OMX, below `.omx` (specs 000). Each ralph session has its own scope, by its id. */
export const omx: Dialect = {
  name: "omx",
  owns: (path) => omxFileAt(path) !== undefined,
  folders: [".omx"],
  render: renderOmx,
  check: checkOmxFile,
  checkTree: checkOmxTree,
  read: readOmxRuns,
  cancel: cancelOmx,
  settle: settleOmx,
  tasks: omxTasks,
  onImport: upgradeFiles,
};

/** All findings in one file; places in Markdown are lines. */
function checkOmxFile(path: string, text: string): readonly Finding[] {
  const file = omxFileAt(path);
  if (!file || file.kind === "legacy-progress") return [];
  if (file.kind === "prd") return checkOmxPrd(path, text);
  if (file.kind === "legacy-prd") return checkJson(text, (value) => checkTaskList(path, value));
  const check = file.kind === "mode" ? checkOf(file.mode) : checks[file.kind];
  return checkJson(text, (value) => check(value).findings);
}

const checks = {
  session: checkBy(OmxSession),
  ledger: checkBy(OmxLedger),
  marker: checkBy(OmxMarker),
};

/** Modes that exclude each other in a scope, unless one is linked to the other (compatibility 2). */
const exclusive: readonly string[] = ["autopilot", "ralph", "ultrawork"];

function checkOmxTree(tree: ForeignTree): (Finding & { file: string })[] {
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
