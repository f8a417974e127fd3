import { expect, test } from "vitest";
import { createQuietReporter } from "../../../app/events/log.ts";
import { job } from "../../support/contracts/store.ts";

test("a repeated error is logged once a minute, an error of a job always", () => {
  let now = 0;
  const logged: string[] = [];
  const report = createQuietReporter({ now: () => now }, (error) => logged.push(String(error)));
  const tellAll = () => {
    for (let each = 0; each < 3; each += 1) report(new Error("the database is unreachable"));
    report(new Error("something else"));
    report(new Error("of a job"), { ...job("octo/one"), attempt: 1, lease: "x" });
  };
  tellAll();
  now = 59_999;
  tellAll();
  expect(logged.map((line) => line.replace("Error: ", ""))).toEqual([
    "the database is unreachable",
    "something else",
    "of a job",
    "of a job",
  ]);
  now = 60_000;
  report(new Error("the database is unreachable"));
  expect(logged).toHaveLength(5);
});
