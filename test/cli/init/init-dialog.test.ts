import { expect, test } from "vitest";
import { askChoices } from "../../../src/cli/init/init.ts";

const both = { template: true, workflow: true };

/** Answers in turn, like a person; the questions asked are kept. */
function scripted(answers: string[]) {
  const asked: string[] = [];
  const question = async (text: string) => {
    asked.push(text);
    return answers.shift() ?? "";
  };
  const signal = new AbortController().signal;
  return { asked, asking: { prompter: { isTerminal: true, question }, signal } };
}

test.each([
  [["", ""], { template: "node", workflow: true }],
  [["py", "n"], { template: "python", workflow: false }],
  [["cobol", "Full", "yes"], { template: "fullstack", workflow: true }],
])("the answers %j choose %o", async (answers, expected) => {
  expect(await askChoices(scripted(answers).asking, both, "node")).toEqual(expected);
});

test("what an option decided is not asked", async () => {
  const { asked, asking } = scripted([]);
  const open = { template: false, workflow: false };
  expect(await askChoices(asking, open, "python")).toEqual({ template: "python", workflow: false });
  expect(asked).toEqual([]);
});

test("Ctrl-C writes nothing: exit 7", async () => {
  const signal = AbortSignal.abort();
  const question = async () => {
    throw signal.reason;
  };
  const asking = { prompter: { isTerminal: true, question }, signal };
  await expect(askChoices(asking, both, "node")).rejects.toMatchObject({ exitCode: 7 });
});
