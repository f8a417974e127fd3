import { basename, dirname } from "node:path/posix";
import { RalphError, renderProblem } from "../error.ts";
import { openRepository } from "../git/open/open-repository.ts";
import { type GitVersion, readGitVersion } from "../git/repository/locate-repository.ts";
import type { Repository } from "../git/repository/repository.ts";
import { openScratch, stateFolder } from "../journal/session-store.ts";
import { createTemporaryName } from "../platform/fs/temporary-file.ts";
import { createRedactor } from "../platform/secrets/redact.ts";
import { secretValues } from "../platform/secrets/secret-values.ts";
import type { System } from "../platform/system.ts";
import type { Config } from "../schema/config/config.ts";
import { checkAgents } from "../session/open/check-agents.ts";
import { checkLaterKeys } from "../session/open/later-keys.ts";
import { findRoot, type LocatedProject, locateStore } from "../session/open/locate-project.ts";
import { type OpenSandbox, openSandbox } from "../session/open/open-sandbox.ts";
import { configPathOf, readConfig } from "../sources/config-file.ts";
import { applyOverrides } from "../sources/config-overrides.ts";

/** A valid configuration and its warnings. */
type ScannedConfig = { config: Config; warnings: readonly string[] };

/** The input of the checks. Each part is created on first use and throws what a run would. */
export interface ScanContext extends AsyncDisposable {
  readonly system: System;
  /** The project root, found without git. */
  readonly root: string;
  readonly configPath: string;
  readonly sessionDir: string;
  readonly signal: AbortSignal;
  /** A command begins; the answer is called when it has ended. */
  readonly began: (name: string) => () => void;
  readonly redact: (text: string) => string;
  /** The state directory, if writable. */
  readonly state: () => Promise<string>;
  /** The version of git, if new enough. */
  readonly git: () => Promise<GitVersion>;
  readonly config: () => Promise<ScannedConfig>;
  /** The repository, opened with a private git directory that is removed with the context. */
  readonly repo: () => Promise<Repository>;
  /** Checks that the agent programs exist and receive no forbidden variable. */
  readonly agents: () => Promise<void>;
  readonly sandbox: () => Promise<OpenSandbox>;
}

interface ScanContextOptions {
  directory: string;
  config: string | undefined;
  /** The absolute path of the session folder. */
  sessionDir: (root: string) => string;
  signal: AbortSignal;
  /** Shows the commands that run; default: not at all. */
  began?: ScanContext["began"];
}

/** Opens the context of a folder. Only finds the project root; all else is read on first use. */
export async function openScanContext(
  system: System,
  options: ScanContextOptions,
): Promise<ScanContext> {
  const root = await findRoot(system, options.directory);
  const configPath = configPathOf(system.env, options.config);
  const config = once(() => scanConfig(system, { root, configPath }));
  const place = once(() => locateStore(system, root));
  const { repo, close } = scratchRepository(system, place);
  return {
    system,
    root,
    configPath,
    sessionDir: options.sessionDir(root),
    signal: options.signal,
    began: options.began ?? (() => () => {}),
    redact: createRedactor(secretValues(system.env)),
    state: once(() => requireState(system)),
    git: once(() => readGitVersion(system)),
    config,
    repo,
    agents: once(async () => checkAgents(system, { ...(await config()), root })),
    sandbox: once(async () => {
      const [settings, opened, { store }] = [await config(), await repo(), await place()];
      return openSandbox(system, { repo: opened, ...settings, store: store.folder });
    }),
    [Symbol.asyncDispose]: close,
  };
}

/** The repository as a run opens it, but in a folder that `close` removes. */
function scratchRepository(system: System, place: () => Promise<LocatedProject>) {
  let scratch: Awaited<ReturnType<typeof openScratch>> | undefined;
  return {
    repo: once(async () => {
      const { root, store } = await place();
      scratch = await openScratch(system, store);
      return openRepository(system, { directory: root, stateDir: scratch.folder });
    }),
    close: async () => await scratch?.[Symbol.asyncDispose](),
  };
}

function once<Result>(make: () => Promise<Result>): () => Promise<Result> {
  let made: Promise<Result> | undefined;
  return () => {
    made ??= make();
    return made;
  };
}

async function scanConfig(
  system: System,
  { root, configPath }: { root: string; configPath: string },
): Promise<ScannedConfig> {
  const read = await readConfig(system.files(root), configPath);
  const later = checkLaterKeys(read, configPath);
  return {
    config: applyOverrides(read.config, { env: system.env, flags: {} }),
    warnings: [...read.warnings, ...later].map(renderProblem),
  };
}

/** The state directory, after a test write. Throws a RalphError when it is not writable. */
async function requireState(system: Pick<System, "files" | "env">): Promise<string> {
  const folder = stateFolder(system.env);
  const files = system.files(folder);
  const name = createTemporaryName();
  try {
    await system.files(dirname(folder)).makeFolder(basename(folder));
    await files.write(name, "");
    await files.remove(name);
    return folder;
  } catch (error) {
    if (!(error instanceof RalphError)) throw error;
    throw new RalphError("config", {
      message: `The state directory ${folder} is not writable: ${reasonOf(error)}`,
      remedy:
        "Make it writable, or set RALPH_STATE_DIR to a writable folder outside of the project.",
      cause: error,
    });
  }
}

/** The system's message, without the name of the temporary file. */
const reasonOf = ({ cause, message }: RalphError) =>
  cause instanceof Error ? cause.message : message;
