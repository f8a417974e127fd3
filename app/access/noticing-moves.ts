import type { GitHub } from "../../src/github/api/create-github.ts";
import { httpStatusOf } from "../../src/github/api/to-ralph-error.ts";
import type { ListedRepository } from "./find-repository.ts";
import type { Place } from "./place.ts";

/** The repository got another address during a job; a retry uses that one. */
export class RepositoryMovedError extends Error {}

type Watched = {
  place: Place;
  locate: (place: Place) => Promise<ListedRepository | undefined>;
};

/** Refusals that a repository's old address can lead to, although nothing is missing. */
const doubtful = [401, 403, 404, 409, 410, 422, 451];

/**
 * A client that asks, after each refusal, whether the repository still has its address. Otherwise "not found" would be
 * taken for a missing issue or file, while the name has passed to another repository.
 */
export function noticingMoves(github: GitHub, { place, locate }: Watched): GitHub {
  return {
    ...github,
    ask: async (purpose, call) => {
      try {
        return await github.ask(purpose, call);
      } catch (error) {
        if (!doubtful.includes(httpStatusOf(error) ?? 0)) throw error;
        const current = await locate(place);
        if (current?.full_name === place.repository) throw error;
        throw new RepositoryMovedError(movedTo(place, current), { cause: error });
      }
    },
  };
}

const movedTo = ({ id, repository }: Place, current: ListedRepository | undefined) =>
  current
    ? `Repository ${id} was ${repository} and is ${current.full_name} now.`
    : `Repository ${id}, ${repository}, cannot be reached at the moment.`;
