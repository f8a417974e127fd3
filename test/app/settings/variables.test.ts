import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { Variables } from "../../../app/settings/variables.ts";

const sources = await Promise.all(
  ["settings/settings.ts", "settings/app-env.ts", "setup/setup-settings.ts"].map((path) =>
    readFile(new URL(`../../../app/${path}`, import.meta.url), "utf8"),
  ),
);
const text = sources.join("\n");
/** Variables of the system. */
const foreign = ["HOME", "XDG_STATE_HOME"];

test("the table has exactly the variables that the App reads", () => {
  const used = /(?:env|values)\.([A-Z][A-Z0-9_]+)|[{,] ([A-Z][A-Z0-9_]+):? /g;
  const read = [...text.matchAll(used)].map(([, ...names]) => names.find(Boolean) ?? "");
  const expected = new Set(read.filter((name) => !foreign.includes(name)));
  expect(Object.keys(Variables.shape).toSorted()).toEqual([...expected].toSorted());
});
