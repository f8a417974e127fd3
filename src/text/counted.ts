/** `1 task`, `3 tasks`: a number with its word, for people. */
export const counted = (count: number, word: string): string =>
  `${count} ${word}${count === 1 ? "" : "s"}`;
