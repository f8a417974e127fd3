import type { Repository } from "../../git/repository/repository.ts";
import { readBlob } from "../../git/trees/objects.ts";
import { treeFiles } from "../../git/trees/tree-files.ts";
import type { ReadFiles } from "../../platform/system.ts";
import type { Config } from "../../schema/config/config.ts";
import { parseConfig } from "../../sources/config-file.ts";

/** Makes the text of a configuration for a project that has none, from its files; equal files give equal text. */
export type MakeConfig = (files: ReadFiles) => Promise<string>;

/** The configuration of a commit, the only one that decides about a session starting there (design 4), else from `makeConfig`. */
export async function readCommitConfig(
  repo: Repository,
  { commit, path }: { commit: string; path: string },
  makeConfig: MakeConfig | undefined,
): Promise<Config | undefined> {
  const bytes = await readBlob(repo, { treeish: commit, path });
  return parseCommitConfig(repo, { commit, path, bytes }, makeConfig);
}

/** The same for a text that has been read. */
export async function parseCommitConfig(
  repo: Repository,
  { commit, path, bytes }: { commit: string; path: string; bytes: Buffer | undefined },
  makeConfig: MakeConfig | undefined,
): Promise<Config | undefined> {
  if (bytes) return parseConfig(bytes, path).config;
  if (!makeConfig) return undefined;
  const made = await makeConfig(await treeFiles(repo, commit));
  return parseConfig(Buffer.from(made), path).config;
}
