import { expect, test } from "vitest";
import { spread } from "../../src/core/checks/hunks.ts";
import { explanationOf } from "../support/mutation/explained.ts";
import { findSurvivors } from "../support/mutation/find-survivors.ts";
import { listMutants } from "../support/mutation/mutants.ts";
import { amount } from "../support/torture/amount.ts";

const hour = 3_600_000;
const root = new URL("../../", import.meta.url).pathname.replace(/\/$/, "");

test(
  "a changed line of a module of security is noticed by its tests, or changes nothing, and why is written down (G18)",
  async ({ task: { meta } }) => {
    const all = listMutants(root);
    const tried = spread(all, amount(40, all.length));
    const survivors = await findSurvivors(tried);
    const noticed = tried.length - survivors.length;
    meta.figure = `${noticed} of ${tried.length} changed lines noticed (there are ${all.length}); ${survivors.length} others explained`;
    const unexplained = survivors.filter((each) => explanationOf(each) === undefined);
    expect(
      unexplained.map(({ file, line, before, after }) => `${file}:${line}: ${before} -> ${after}`),
    ).toEqual([]);
  },
  hour,
);
