import type { Problem } from "../../error.ts";
import type { Files, System } from "../../platform/system.ts";

/** A file of a session that lies somewhere by itself. */
export type SessionPart = { kind: "session" | "status" | "timeline"; name: string };

/**
 * What `ralph validate` looks at. `path` is absolute, `shown` as the user knows it. The path of a session is
 * that of its folder; with a `part` only this file of it is looked at.
 */
export type Target = {
  kind:
    | "config"
    | "tasks"
    | "session"
    | "analysis"
    | "run-record"
    | "prd"
    | "cr"
    | "compound"
    | "state"
    | "unknown";
  path: string;
  shown: string;
  part?: SessionPart;
};

/** The good news about a file. */
export type ValidFile = { note: string; warnings: readonly Problem[] };

/** What a check may use: the file under the name the user gave it, and the project around it. */
export type CheckInput = {
  system: Pick<System, "files" | "ask" | "env">;
  root: string;
  target: Target;
  file: Pick<Files, "read">;
};
