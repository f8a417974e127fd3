/** Carries out one act after the other, in the order they were asked for; one that fails does not hold up the next. */
export type InTurn = <Result>(act: () => Promise<Result>) => Promise<Result>;

export function createTurn(): InTurn {
  let last: Promise<unknown> = Promise.resolve();
  return (act) => {
    const mine = last.then(act);
    last = mine.catch(() => undefined);
    return mine;
  };
}

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
