import { createTurn, type InTurn } from "../../platform/locks/in-turn.ts";

/** Resources that workers share and only one may use at a time. Taken in this order when several are needed. */
export interface Turns {
  /** The project's own work tree, its branch and HEAD. */
  project: InTurn;
  views: InTurn;
  journal: InTurn;
  /** The ports of the services. */
  stage: InTurn;
}

export const createTurns = (): Turns => ({
  project: createTurn(),
  views: createTurn(),
  journal: createTurn(),
  stage: createTurn(),
});
