import { createHash } from "node:crypto";
import { rmSync, utimesSync } from "node:fs";
import { join } from "node:path";
import type { GitProject } from "./git.ts";

/** What lies in the work tree; git keeps `small`. */
export const large = "as large as can be\n";
export const small = "as tiny as can be\n";

const store = (text: string) => {
  const hash = createHash("sha256").update(text).digest("hex");
  const path = `.git/lfs/objects/${hash.slice(0, 2)}/${hash.slice(2, 4)}/${hash}`;
  return { hash, path };
};

/** What git-lfs makes git keep of a text. */
export const pointerOf = (text: string) =>
  `version https://git-lfs.github.com/spec/v1\noid sha256:${store(text).hash}\nsize ${text.length}\n`;

/** Where git-lfs keeps the text itself. */
export const storePathOf = (text: string) => store(text).path;

/** Commits `big.bin` behind a plain filter and checks it out, as a clone does. */
export function addFiltered(project: GitProject): void {
  project.git("config", "filter.size.clean", "sed s/large/tiny/");
  project.git("config", "filter.size.smudge", "sed s/tiny/large/");
  commitBig(project, "size");
}

/** The same as git-lfs does it: a pointer in git, the content in a store. */
export function addLfs(project: GitProject): void {
  project.write("../pointer", pointerOf(large));
  project.write(storePathOf(large), large);
  project.git("config", "filter.lfs.clean", `cat >/dev/null; cat ${project.folder}/pointer`);
  project.git("config", "filter.lfs.smudge", `cat >/dev/null; cat .git/../${storePathOf(large)}`);
  commitBig(project, "lfs");
}

function commitBig(project: GitProject, filter: string): void {
  project.write(".gitattributes", `*.bin filter=${filter} -text\n`);
  project.write("big.bin", large);
  project.git("add", "-A");
  project.git("commit", "-qm", "a large file");
  checkOut(project);
}

/** Files and index are written in the same instant. */
export function checkOut(project: GitProject): void {
  rmSync(join(project.root, "big.bin"));
  project.git("checkout", "-q", "--", ".");
}

/** Some time later, when files are older than the index. */
export function settle(project: GitProject): void {
  for (const path of project.git("ls-files", "-z", "*.bin").split("\0").filter(Boolean)) {
    utimesSync(join(project.root, path), 1e9, 1e9);
  }
  project.git("update-index", "--refresh");
}
