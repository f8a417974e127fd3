/** Somebody who does one thing at a time, each when it is their turn. */
export interface Player {
  /** Waits until it is this player's turn; all others stand still until it comes again. */
  turn: () => Promise<void>;
  /** Takes no further turn. */
  leave: () => void;
}

export interface Game {
  /** `isWatching`: has nothing to do but in the midst of what others do. */
  join: (options?: { isWatching: boolean }) => Player;
}

/**
 * Lets players go on one at a time, in an order `random` decides: every interleaving of what they do can come about, and
 * the same numbers bring it about again. All players join before the first one takes a turn.
 */
export function createTurns(random: () => number): Game {
  let players = 0;
  const waiting: (() => void)[] = [];
  const next = () => {
    if (players === 0 || waiting.length < players) return;
    const [chosen] = waiting.splice(Math.floor(random() * waiting.length), 1);
    chosen?.();
  };
  return {
    join: () => {
      players += 1;
      return {
        turn: () =>
          new Promise<void>((resolve) => {
            waiting.push(resolve);
            next();
          }),
        leave: () => {
          players -= 1;
          next();
        },
      };
    },
  };
}

/** Nobody waits for anybody, but who is watching: their turn comes as soon as somebody else has begun to do something. */
export function createFreePlay(): Game {
  let players = 0;
  const watching: (() => void)[] = [];
  const wake = () => {
    for (const go of watching.splice(0)) go();
  };
  return {
    join: ({ isWatching } = { isWatching: false }) => {
      players += 1;
      return {
        turn: () => {
          if (isWatching && players > 1) {
            return new Promise<void>((resolve) => {
              watching.push(() => setImmediate(resolve));
            });
          }
          wake();
          return Promise.resolve();
        },
        leave: () => {
          players -= 1;
          wake();
        },
      };
    },
  };
}
