import { writeFileSync } from "node:fs";
import { RalphError, renderProblem } from "../../src/error.ts";
import { checkSource } from "./release/check-source.ts";
import { readDist, renderChecksums } from "./release/dist.ts";
import { createGit } from "./release/git.ts";
import { nameInCheckout } from "./release/own-name.ts";
import { publishRelease } from "./release/publish-release.ts";
import { requireVersion } from "./release/version.ts";

/**
 * The steps of .github/workflows/release.yml. Only Node and git are needed: the job that may write installs nothing.
 *
 *   release.ts prepare VERSION          checks the checkout and names the repository in its files, before the build
 *   release.ts checksums DIST           prints them
 *   release.ts publish VERSION DIST     makes the commits, moves the tags, writes release-notes.md and SHA256SUMS
 */
const root = process.cwd();
const { GITHUB_REPOSITORY: repository = "", RELEASE_TOKEN: token = "" } = process.env;
const { RELEASE_CHECKSUMS: told = "", RUNNER_TEMP: place = root } = process.env;

const steps: Record<string, (...args: string[]) => void> = {
  prepare: (version = "") => {
    const git = createGit(root);
    checkSource(git, requireVersion(version));
    const named = nameInCheckout(git, requireName());
    console.log(`Named ${repository} in ${named.length} files.`);
  },
  checksums: (folder = "dist") => process.stdout.write(renderChecksums(readDist(folder))),
  publish: (version = "", folder = "dist") => {
    const wanted = { version: requireVersion(version), repository: requireName(), token };
    const { commits, pushed, notes } = publishRelease({ ...wanted, root, dist: folder, told });
    writeFileSync(`${place}/release-notes.md`, notes);
    writeFileSync(`${place}/SHA256SUMS`, told.endsWith("\n") ? told : `${told}\n`);
    console.log(`dist is ${commits.dist}, the release ${commits.release}.`);
    console.log(`Moved: ${pushed.moved.join(", ") || "nothing, it was there already"}.`);
    for (const tag of pushed.kept) console.log(`${tag} stays at a newer version.`);
  },
};

function requireName(): string {
  if (/^[\w.-]+\/[\w.-]+$/.test(repository)) return repository;
  throw new RalphError("config", {
    message: "GITHUB_REPOSITORY does not name a repository.",
    remedy: "Set it to owner/name.",
  });
}

try {
  const [name = "", ...args] = process.argv.slice(2);
  const step = steps[name];
  if (!step) throw new Error(`Give one of: ${Object.keys(steps).join(", ")}.`);
  step(...args);
} catch (error) {
  if (!(error instanceof RalphError)) throw error;
  console.error([error.message, ...error.problems.map(renderProblem), error.remedy].join("\n"));
  process.exitCode = 1;
}
