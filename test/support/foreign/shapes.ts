import type { Json } from "./strict-reader.ts";

type Check = (value: unknown) => boolean;

export const text: Check = (value) => typeof value === "string";
export const flag: Check = (value) => typeof value === "boolean";
export const count: Check = (value) => Number.isInteger(value) && Number(value) >= 0;
export const figure: Check = (value) => typeof value === "number" && value >= 0;
export const list: Check = Array.isArray;
export const object: Check = (value) => typeof value === "object" && value !== null;
export const time: Check = (value) =>
  typeof value === "string" &&
  /(?:Z|[+-]\d\d:\d\d)$/.test(value) &&
  !Number.isNaN(Date.parse(value));
export const orNull =
  (check: Check): Check =>
  (value) =>
    value === null || check(value);
export const oneOf =
  (...words: string[]): Check =>
  (value) =>
    words.includes(String(value));

/** Missing and wrong keys, and keys that the specification does not have and that are not named as `further`. */
export function misshapen(
  value: Json,
  checks: Record<string, Check>,
  further: readonly string[] = [],
): string[] {
  const wrong = Object.entries(checks).filter(([key, check]) => !check(value[key]));
  const extra = Object.keys(value).filter((key) => !(key in checks) && !further.includes(key));
  return [
    ...wrong.map(([key]) => `${key} is ${JSON.stringify(value[key])}`),
    ...extra.map((key) => `${key} is no key of the format`),
  ];
}

/** Keys whose figure is lower than before. */
export const falling = (now: Json, before: Json | undefined, keys: readonly string[]): string[] =>
  keys
    .filter((key) => before !== undefined && Number(now[key]) < Number(before[key]))
    .map((key) => `${key} goes back from ${before?.[key]} to ${now[key]}`);

/** A sentence where a statement does not hold. */
export const unless = (holds: unknown, sentence: string): string[] => (holds ? [] : [sentence]);

export const objectsIn = (value: unknown): Json[] => (Array.isArray(value) ? value : []);
