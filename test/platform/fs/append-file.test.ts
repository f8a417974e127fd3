import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { FileError } from "../../../src/platform/file-error.ts";
import { hasProgram, nodeCommand, sourceUrl } from "../../support/project/programs.ts";
import { createTestSystem } from "../../support/project/system.ts";

test("text is added at the end, in the order of the calls, also in a later opening", async () => {
  await using system = await createTestSystem();
  const files = system.files(system.root);
  const expected = Array.from({ length: 200 }, (_, index) => `${index}\n`);
  {
    await using file = await files.openAppend("deep/log");
    await Promise.all(expected.map((line) => file.append(line)));
    await file.flush();
  }
  {
    await using file = await files.openAppend("deep/log");
    await file.append(Buffer.from("last\n"));
  }
  expect((await files.read("deep/log"))?.toString()).toBe(`${expected.join("")}last\n`);
});

test("lines of several processes never interleave (F11)", async () => {
  await using system = await createTestSystem();
  const script = `
    import { createFiles } from ${JSON.stringify(sourceUrl("platform/fs/files.ts"))};
    const [root, letter] = process.argv.slice(1);
    await using file = await createFiles(root).openAppend("log");
    for (let count = 0; count < 500; count++) await file.append(letter.repeat(2000) + "\\n");`;
  const { file, args } = nodeCommand(script);
  const writers = ["a", "b", "c"].map((letter) => spawn(file, [...args, system.root, letter]));
  const codes = await Promise.all(writers.map(async (writer) => (await once(writer, "exit"))[0]));
  expect(codes).toEqual([0, 0, 0]);
  const lines = (await readFile(join(system.root, "log"), "utf8")).trimEnd().split("\n");
  expect(lines).toHaveLength(1500);
  expect(lines.every((line) => /^(a{2000}|b{2000}|c{2000})$/.test(line))).toBe(true);
});

const canLimit = hasProgram("bash", ["-c", "ulimit -f 8"]);

test.skipIf(!canLimit)(
  "a write that fits only in part fails, and so does all that follows (F06)",
  async () => {
    await using system = await createTestSystem();
    // A file size limit of 8 KiB: the first write goes through, the second one half.
    const script = `
    import { createFiles } from ${JSON.stringify(sourceUrl("platform/fs/files.ts"))};
    process.on("SIGXFSZ", () => undefined);
    const file = await createFiles(process.argv[1]).openAppend("log");
    const attempts = [() => file.append("a".repeat(6000)), () => file.append("b".repeat(6000)),
      () => file.append("c"), () => file.flush()];
    for (const attempt of attempts) {
      console.log(await attempt().then(() => "ok", (error) => error.fault + ": " + error.message));
    }`;
    const node = nodeCommand(script);
    const { stdout } = await system.ask({
      file: "bash",
      args: ["-c", 'ulimit -f 8; exec "$@"', "bash", node.file, ...node.args, system.root],
      cwd: system.root,
      env: system.env,
    });
    const short = "io: log took only 2192 of 6000 bytes.";
    expect(stdout.toString().trim().split("\n")).toEqual(["ok", short, short, short]);
  },
);

test("a closed file says so instead of writing elsewhere", async () => {
  await using system = await createTestSystem();
  const file = await system.files(system.root).openAppend("log");
  await file[Symbol.asyncDispose]();
  await expect(file.append("x")).rejects.toBeInstanceOf(FileError);
});
