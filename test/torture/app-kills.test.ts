import { afterAll, beforeAll, test } from "vitest";
import { type Moment, publishKilled, writesOfOne } from "../support/app/kill.ts";
import { type MadeSession, makeSession } from "../support/app/publishing.ts";

let made: MadeSession;
beforeAll(async () => {
  made = await makeSession();
}, 60_000);
afterAll(() => made[Symbol.asyncDispose]());

const moments = Array.from({ length: writesOfOne }, (_, at): Moment[] => [
  { at, when: "before" },
  { at, when: "after" },
]).flat();

test.each(moments)(
  "an App cut off $when write $at has published once after it was started again",
  (moment) => publishKilled(made, moment),
  120_000,
);

test.each(moments)(
  "an App that is stopped while nothing is answered $when write $at ends in time, and has published once",
  (moment) => publishKilled(made, { ...moment, hangs: true }),
  120_000,
);
