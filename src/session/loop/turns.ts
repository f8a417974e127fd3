import { createTurn, type InTurn } from "../../platform/locks/in-turn.ts";

/** What several workers share and only one may touch at a time. Taken in this order, where one needs several. */
export interface Turns {
  /** The project's own work tree, its branch and HEAD. */
  project: InTurn;
  views: InTurn;
  journal: InTurn;
}

export const createTurns = (): Turns => ({
  project: createTurn(),
  views: createTurn(),
  journal: createTurn(),
});
