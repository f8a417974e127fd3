import type { GitHub } from "../../src/github/api/create-github.ts";
import type { Pull } from "../../src/github/pulls/pull.ts";
import type { Place } from "../access/place.ts";
import { type DispatchedRun, listRuns } from "../runs/dispatched-run.ts";
import type { Notes } from "../store/notes.ts";

/** Reads a pull request; its event is not trusted (T28). */
export async function readPull(github: GitHub, number: number): Promise<Pull> {
  const { data } = await github.ask(
    { act: `read #${number}`, permission: "pull-requests: read", reason: "pr" },
    ({ rest }) => rest.pulls.get({ ...github.repo, pull_number: number }),
  );
  return data;
}

/** The newest run that has opened or continued a pull request. */
export async function findRunOfPull(
  notes: Notes,
  { place, pull }: { place: Place; pull: number },
): Promise<DispatchedRun | undefined> {
  const runs = await listRuns(notes, { place });
  return runs.find((run) => run.pull?.number === pull);
}
