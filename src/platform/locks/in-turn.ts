/** Runs acts one after the other, in order of the calls; a failed one does not block the next. */
export type InTurn = <Result>(act: () => Promise<Result>) => Promise<Result>;

export function createTurn(): InTurn {
  let last: Promise<unknown> = Promise.resolve();
  return (act) => {
    const mine = last.then(act);
    last = mine.catch(() => undefined);
    return mine;
  };
}
