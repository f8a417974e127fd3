import { expect, test } from "vitest";
import { spread } from "../../src/core/checks/hunks.ts";
import {
  enumerateStages,
  failing,
  inRows,
  type StagedPoint,
  sweepStages,
} from "../support/crash/publication-sweep.ts";
import { createPublishedTemplate } from "../support/crash/published-run.ts";
import { amount } from "../support/torture/amount.ts";

const hour = 3_600_000;
const least = 100;

/** How many of each kind are tried; every request to GitHub is. */
const counts = { file: amount(60, 200), git: amount(50, 130), http: 100, program: 0 };
/** Errors that a run and what resumes it meet one after the other. */
const inRow = amount(4, 2);

test(
  "an error of a file, of git or of GitHub costs nothing but the command that met it (F04-F06, F48, F55, G09)",
  async ({ task: { meta } }) => {
    await using template = await createPublishedTemplate();
    const kinds = Object.groupBy(failing(await enumerateStages(template)), ({ kind }) => kind);
    const points = Object.entries(kinds).flatMap(([kind, found]) =>
      spread(found, counts[kind as StagedPoint["kind"]]),
    );
    const { faults, errors } = await sweepStages(template, inRows(points, inRow));
    const count = (kind: string) => errors.filter((each) => each === kind).length;
    meta.figure = `${errors.length} errors injected: ${count("file")} of files, ${count("git")} of git, ${count("http")} of HTTP`;
    expect(faults).toEqual([]);
    expect(errors.length).toBeGreaterThanOrEqual(least);
  },
  hour,
);
