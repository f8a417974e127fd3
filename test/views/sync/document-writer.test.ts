import { expect, test } from "vitest";
import { passedTasks } from "../../../src/views/summary/totals.ts";
import { createDocumentWriter } from "../../../src/views/sync/document-writer.ts";
import type { SpliceView } from "../../../src/views/view.ts";
import { createTestSystem } from "../../support/project/system.ts";
import { passedRun } from "../documents/splicing.ts";

/** A document of task ids, and which tasks each call was asked about. */
async function createLog() {
  const system = await createTestSystem();
  const files = system.files(system.root);
  const asked: string[][] = [];
  const view: SpliceView = {
    kind: "splice",
    name: "log",
    path: () => "log",
    splice: (text = "", state) => {
      const ids = passedTasks(state).map(({ task }) => task.id);
      asked.push(ids);
      return text + ids.filter((id) => !text.includes(id)).join("");
    },
  };
  const write = createDocumentWriter(files);
  const read = async () => (await files.read("log"))?.toString();
  return {
    files,
    asked,
    read,
    write: (ids: string[]) => write(view, passedRun(ids)),
    [Symbol.asyncDispose]: () => system[Symbol.asyncDispose](),
  };
}

test("an unchanged document is only updated with newly passed tasks", async () => {
  await using log = await createLog();
  await log.write(["T-001"]);
  await log.write(["T-001", "T-002"]);
  expect(log.asked).toEqual([["T-001"], ["T-002"]]);
  expect(await log.read()).toBe("T-001T-002");
});

test.for([
  ["changed", "edited "],
  ["removed", undefined],
] as const)("a document that was %s is asked about every pass", async ([, content]) => {
  await using log = await createLog();
  await log.write(["T-001"]);
  if (content === undefined) await log.files.remove("log");
  else await log.files.write("log", content);
  await log.write(["T-001", "T-002"]);
  expect(log.asked.at(-1)).toEqual(["T-001", "T-002"]);
  expect(await log.read()).toBe(`${content ?? ""}T-001T-002`);
});
