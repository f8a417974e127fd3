import type { Dialect } from "../../dialects/dialect.ts";
import type { ForeignState } from "../../entry/foreign-tree.ts";
import type { Problem } from "../../error.ts";
import type { Files, System } from "../../platform/system.ts";
import type { Config } from "../../schema/config/config.ts";

/** A session file outside of its session folder. */
export type SessionPart = { kind: "session" | "status" | "timeline"; name: string };

/**
 * A file or folder that `ralph validate` checks. `path` is absolute, `shown` is the name for the user. The path of a
 * session is its folder; with a `part`, only that file is checked.
 */
export type Target = {
  kind:
    | "config"
    | "organization"
    | "tasks"
    | "session"
    | "analysis"
    | "run-record"
    | "prd"
    | "cr"
    | "compound"
    | "state"
    | "agents-md"
    | "progress"
    | "unknown";
  path: string;
  shown: string;
  part?: SessionPart;
};

/** The result for a valid file. */
export type ValidFile = { note: string; warnings: readonly Problem[] };

/** The input of a check: the file and the project it belongs to. */
export type CheckInput = {
  system: Pick<System, "files" | "ask" | "env">;
  root: string;
  /** The project's configuration, unless it is missing or broken. */
  config: Config | undefined;
  target: Target;
  file: Pick<Files, "read">;
  /** The state of another tool in a folder, read once; \`ralph status\` reads the same. */
  foreign: (root: string, dialect: Dialect) => Promise<ForeignState>;
};
