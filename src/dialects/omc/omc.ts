import type { Dialect } from "../dialect.ts";
import { renderJson, wholeFile } from "../json-text.ts";
import {
  cancelOmc,
  checkOmcFile,
  keepOmcAside,
  ralphPath,
  readOmcRuns,
  settleOmc,
  ultraworkPath,
  verificationPath,
} from "./read-state.ts";
import { ralphStateOf, verificationOf } from "./state-of.ts";

const listPath = ".omc/prd.json";
const owned: readonly string[] = [ralphPath, ultraworkPath, verificationPath, listPath];

/** The state files of oh-my-claudecode (specs 002). Only programs that use `@org/ralph-action/omc` write ultrawork. */
export const omc: Dialect = {
  name: "omc",
  folders: [".omc"],
  owns: (path) => owned.includes(path),
  render: (state, given) => {
    const verification = verificationOf(state, given);
    return [
      wholeFile(ralphPath, renderJson(ralphStateOf(state, given))),
      wholeFile(verificationPath, verification && renderJson(verification)),
    ];
  },
  check: checkOmcFile,
  read: readOmcRuns,
  cancel: cancelOmc,
  settle: settleOmc,
  keepAside: keepOmcAside,
  tasks: (tree) => {
    const text = tree.get(listPath);
    return text === undefined ? undefined : { path: listPath, list: JSON.parse(text) as unknown };
  },
};
