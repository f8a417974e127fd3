import type { Version } from "./version.ts";

type Notes = {
  version: Version;
  changes: string;
  /** Sentences. */
  measured: readonly string[];
  checksums: string;
  repository: string;
  commit: string;
};

/** The text of the release on GitHub: the changes, and how to check the files. */
export function renderNotes(notes: Notes): string {
  const { version, changes, measured, checksums, repository, commit } = notes;
  return `${changes}

## False proofs and false refusals

${measured.join("\n\n")}

## Check it

\`dist\` was built from ${commit}. SHA-256 of its files:

\`\`\`text
${checksums.trimEnd()}
\`\`\`

\`\`\`bash
git clone --branch ${version.tag} https://github.com/${repository} && cd ${repository.split("/").at(-1)}
gh attestation verify dist/action.js --repo ${repository}
\`\`\`
`;
}

/** The measured sums in the README, with links to the released version. */
export function measuredIn(
  readme: string,
  { repository, version }: { repository: string; version: Version },
): string[] {
  const sums = readme.matchAll(/<!-- (\w+:sum) -->\n(.*?)\n<!-- \/\1 -->/gs);
  const pages = `](https://github.com/${repository}/blob/${version.tag}/docs/`;
  return [...sums].flatMap(([, , text]) => text?.replaceAll("](docs/", pages) ?? []);
}
