import type { Place } from "../access/place.ts";
import type { Wanted } from "../rules/wanted.ts";

/** What a job holds: where, and what; everything else is read when it is done. */
export interface Task {
  place: Place;
  wanted: Wanted;
}
