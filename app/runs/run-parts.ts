import type { Clock } from "../../src/platform/system.ts";
import type { Access } from "../access/access.ts";
import type { Trigger } from "../rules/authority.ts";
import type { Wanted } from "../rules/wanted.ts";
import type { Notes } from "../store/notes.ts";
import type { RunNote } from "./dispatched-run.ts";

export interface RunParts {
  access: Access;
  notes: Notes;
  clock: Clock;
  /** Ids of bots that may start work. */
  bots: readonly number[];
  /** Address of this App's pages, for whoever wonders who holds a claim. */
  url: string;
}

/** What is to be started, and what made it so. */
export type Start = Omit<Extract<Wanted, { kind: "start" }>, "kind"> & {
  trigger: Trigger;
  /** The session of a run before, which it goes on with. */
  goesOn?: Pick<RunNote, "after" | "pull" | "orders" | "day">;
};

/** A workflow may take six hours, and wait for a runner before. */
export const workflowLeaseMs = 8 * 60 * 60_000;

/** The workflow a repository has for the App; the first pull request writes it. */
export const workflowFile = "ralph.yml";
