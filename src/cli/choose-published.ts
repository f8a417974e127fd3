import { resolve } from "node:path/posix";
import { RalphError } from "../error.ts";
import { replayJournal } from "../journal/journal.ts";
import { lastSessionId } from "../journal/store.ts";
import { locateProject, type Place } from "../loop/locate-project.ts";
import type { Run } from "../run/run.ts";
import type { CommandContext } from "./command.ts";

/** A session to be published. */
export interface ChosenSession {
  place: Place;
  /** Folder of its bundle, absolute. */
  bundle: string;
  run: Run;
  /** From this project's own store, where no agent can write; not from a folder somebody names. */
  isOwn: boolean;
}

/** The session in a folder, else the last one of this project. */
export async function choosePublished(
  { system, directory }: Pick<CommandContext, "system" | "directory">,
  named: string | undefined,
): Promise<ChosenSession> {
  const place = await locateProject(system, directory);
  const id = named === undefined ? await lastSessionId(place.store) : undefined;
  const files =
    id === undefined ? system.files(resolve(directory, named ?? ".")) : place.store.session(id);
  const replay = named === undefined && id === undefined ? undefined : await replayJournal(files);
  if (replay) return { place, bundle: files.root, run: replay.run, isOwn: named === undefined };
  throw new RalphError("source", {
    message:
      named === undefined
        ? "There is no session here to publish."
        : `${named} is no folder with a journal.jsonl.`,
    remedy: "Start one with `ralph run`, or name the folder of a session artifact by `--bundle`.",
  });
}
