import { afterAll, beforeAll } from "vitest";
import { thorough } from "../../setup/sampled.ts";
import { type Moment, publishKilled } from "../../support/app/kill.ts";
import { type MadeSession, makeSession } from "../../support/app/publishing.ts";

let made: MadeSession;
beforeAll(async () => {
  made = await makeSession();
});
afterAll(() => made[Symbol.asyncDispose]());

// All moments: test/torture/app-kills.test.ts.
const moments: Moment[] = [
  { at: 2, when: "after" },
  { at: 3, when: "after" },
  { at: 5, when: "before" },
  { at: 9, when: "after" },
];
thorough.each(moments)("an App cut off $when write $at publishes once after a restart", (moment) =>
  publishKilled(made, moment),
);

thorough(
  "an App that is stopped while GitHub does not answer ends in time, and publishes once after a restart",
  () => publishKilled(made, { at: 5, when: "after", hangs: true }),
);
