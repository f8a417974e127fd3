const smallest = 0.0001;

/** `$0.42`; amounts below ten cents keep up to four places, so that a small cost never reads as none. */
export function dollars(usd: number): string {
  if (usd > 0 && usd < smallest) return `under $${smallest}`;
  if (usd >= 0.1) return `$${usd.toFixed(2)}`;
  return `$${usd.toFixed(4).replace(/0{1,2}$/, "")}`;
}
