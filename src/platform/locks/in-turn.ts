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
