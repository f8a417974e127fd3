import type { GitHub } from "../../src/github/api/create-github.ts";
import { httpStatusOf } from "../../src/github/api/to-ralph-error.ts";
import { findRepository, type ListedRepository } from "./find-repository.ts";
import { isOutOfReach } from "./is-out-of-reach.ts";
import type { Place } from "./place.ts";
import type { Tokens } from "./tokens.ts";

/** A client with a token, under a repository's address. */
export type CreateClient = (token: string, place: Omit<Place, "id">) => GitHub;

/** Finds a repository by its id through its installation; undefined if that does not reach it. */
export async function locateById(
  tokens: Tokens,
  client: CreateClient,
  place: Place,
): Promise<ListedRepository | undefined> {
  const find = async () => findRepository(client(await tokens.read(place), place), place.id);
  try {
    return await find();
  } catch (error) {
    if (isOutOfReach(error)) return undefined;
    if (httpStatusOf(error) !== 401) throw error;
    tokens.forget(place);
  }
  try {
    return await find();
  } catch (error) {
    if (isOutOfReach(error)) return undefined;
    throw error;
  }
}
