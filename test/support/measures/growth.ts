/**
 * How many times as long `act` takes for 16 times the size: about 16 where its time is linear, 256 where it is quadratic.
 * It is CPU time of the fastest of three attempts, so that it is the same on a busy machine. It is the sum of user and
 * system time, which is exact: Linux estimates how it divides into both, and a short attempt may seem to take no user time.
 */
export function growthOf(act: (size: number) => unknown, size: number): number {
  act(size);
  return fastest(() => act(16 * size)) / fastest(() => act(size));
}

/** More than a garbage collector makes of 16, and less than 256. */
export const linear = 80;

function fastest(act: () => unknown): number {
  const times = Array.from({ length: 3 }, () => {
    const before = process.cpuUsage();
    act();
    const { user, system } = process.cpuUsage(before);
    return user + system;
  });
  // Below a millisecond it is noise.
  return Math.max(1000, Math.min(...times));
}
