import type { Dialect, ForeignFile, ForeignTree } from "../dialect.ts";
import { renderJson } from "../json-text.ts";
import {
  cancelOmc,
  checkOmcFile,
  ralphPath,
  readOmcRuns,
  ultraworkPath,
  verificationPath,
} from "./read-state.ts";
import { keepOmcAside, settleOmc } from "./settle.ts";
import { ralphStateOf, verificationOf } from "./state-of.ts";

const listPath = ".omc/prd.json";
const owned: readonly string[] = [ralphPath, ultraworkPath, verificationPath, listPath];

/**
 * The state files of oh-my-claudecode (specs 002). A session never writes the ultrawork state; programs that use
 * `@org/ralph-action/omc` do.
 */
export const omc: Dialect = {
  name: "omc",
  folders: [".omc"],
  owns: (path) => owned.includes(path),
  render: (state, given) => [
    fileOf(ralphPath, ralphStateOf(state, given)),
    fileOf(verificationPath, verificationOf(state, given)),
  ],
  check: checkOmcFile,
  read: readOmcRuns,
  cancel: cancelOmc,
  settle: settleOmc,
  keepAside: keepOmcAside,
  tasks: (tree) => listOf(tree),
};

const fileOf = (path: string, state: object | undefined): ForeignFile => ({
  path,
  locks: [],
  text: state && renderJson(state),
});

function listOf(tree: ForeignTree) {
  const text = tree.get(listPath);
  return text === undefined ? undefined : { path: listPath, list: JSON.parse(text) as unknown };
}
