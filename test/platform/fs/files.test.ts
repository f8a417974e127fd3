import { statSync } from "node:fs";
import { chmod, link, mkdir, readFile, stat, symlink, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { FileError } from "../../../src/platform/file-error.ts";
import { createFiles } from "../../../src/platform/fs/files.ts";
import { createTestFolder, createTestSystem } from "../../support/project/system.ts";

async function refusal(act: Promise<unknown>): Promise<FileError> {
  const error = await act.then(() => undefined).catch((thrown: unknown) => thrown);
  if (error instanceof FileError) return error;
  throw new Error(`was not refused: ${error}`);
}

describe("ordinary files", () => {
  test("a written file is read back, and its folders are made", async () => {
    await using system = await createTestSystem();
    const files = system.files(system.root);
    await files.write("a/b/c.txt", "one");
    await files.write("a/b/c.txt", Buffer.from("two"), { durable: true });
    expect((await files.read("./a//b/c.txt"))?.toString()).toBe("two");
    expect(await files.list("a/b")).toEqual(["c.txt"]);
  });

  test("a missing path is undefined, empty, or already removed", async () => {
    await using system = await createTestSystem();
    const files = system.files(system.root);
    await files.write("file", "");
    expect(await files.read("none")).toBeUndefined();
    expect(await files.read("none/deeper")).toBeUndefined();
    expect(await files.read("file/deeper")).toBeUndefined();
    expect(await files.stat("none/deeper")).toBeUndefined();
    expect(await files.list("none")).toEqual([]);
    expect(await createFiles(`${files.root}/none`).list("")).toEqual([]);
    await files.remove("none/deeper");
  });

  test("a replaced file keeps its permissions", async () => {
    await using system = await createTestSystem();
    const files = system.files(system.root);
    await files.write("script", "one");
    await chmod(join(system.root, "script"), 0o751);
    await files.write("script", "two");
    expect((await stat(join(system.root, "script"))).mode & 0o777).toBe(0o751);
  });

  test("names of the root itself are sorted, and a folder is removed with all it holds", async () => {
    await using system = await createTestSystem();
    const files = system.files(system.root);
    await files.makeFolder("b/deep");
    await files.makeFolder("b/deep");
    await files.write("a", "");
    expect(await files.list("")).toEqual(["a", "b"]);
    await files.remove("b");
    expect(await files.list("")).toEqual(["a"]);
  });

  test("the root itself is never removed", async () => {
    await using system = await createTestSystem();
    const files = system.files(system.root);
    expect((await refusal(files.remove("."))).fault).toBe("outside");
    expect((await stat(system.root)).isDirectory()).toBe(true);
  });

  test("the cap is a limit, not a cut", async () => {
    await using system = await createTestSystem();
    const files = system.files(system.root);
    await files.write("ten", "0123456789");
    expect(await files.read("ten", { maxBytes: 10 })).toHaveLength(10);
    const error = await refusal(files.read("ten", { maxBytes: 9 }));
    expect(error.fault).toBe("too-large");
    expect(error.message).toBe("ten has 10 bytes; at most 9 are read.");
  });

  test("files, folders and their sizes are reported", async () => {
    await using system = await createTestSystem();
    const files = system.files(system.root);
    await files.write("folder/ten", "0123456789");
    expect(await files.stat("folder")).toMatchObject({ kind: "folder" });
    const stat = await files.stat("folder/ten");
    expect(stat).toMatchObject({ kind: "file", bytes: 10 });
    expect(stat?.changedMs).toBe(statSync(join(system.root, "folder/ten")).mtimeMs);
  });

  test("a file written before can be synced; a missing one cannot", async () => {
    await using system = await createTestSystem();
    const files = system.files(system.root);
    await files.write("a/b", "");
    await files.sync(["a/b"]);
    expect((await refusal(files.sync(["a/none"]))).message).toContain("ENOENT");
  });
});

describe("links (T38)", () => {
  test.for(["link/file", "folder/link/file", "folder/filelink"])(
    "%s is refused by every call, and what it points to stays as it is",
    async (path) => {
      await using outside = await createTestFolder();
      await using system = await createTestSystem();
      await writeFile(join(outside.path, "file"), "outside");
      await mkdir(join(system.root, "folder"));
      await symlink(outside.path, join(system.root, "link"));
      await symlink(outside.path, join(system.root, "folder/link"));
      await symlink(join(outside.path, "file"), join(system.root, "folder/filelink"));
      const files = system.files(system.root);
      expect((await refusal(files.read(path))).fault).toBe("link");
      expect((await refusal(files.write(path, "x"))).fault).toBe("link");
      expect((await refusal(files.openAppend(path))).fault).toBe("link");
      expect((await refusal(files.makeFolder(`${path}/new`))).fault).toBe("link");
      expect((await refusal(files.list(`${path}/new`))).fault).toBe("link");
      expect(await readFile(join(outside.path, "file"), "utf8")).toBe("outside");
    },
  );

  test("a link is described and removed, never what it points to", async () => {
    await using outside = await createTestFolder();
    await using system = await createTestSystem();
    await writeFile(join(outside.path, "file"), "outside");
    await symlink(outside.path, join(system.root, "link"));
    const files = system.files(system.root);
    expect(await files.stat("link")).toMatchObject({ kind: "link" });
    await files.remove("link");
    expect(await files.stat("link")).toBeUndefined();
    expect(await readFile(join(outside.path, "file"), "utf8")).toBe("outside");
  });

  test("a root that is reached through a link is fine", async () => {
    await using system = await createTestSystem();
    await mkdir(join(system.root, "real"));
    await symlink(join(system.root, "real"), join(system.root, "root"));
    const files = createFiles(join(system.root, "root"));
    await files.write("file", "content");
    expect(await files.list(".")).toEqual(["file"]);
  });

  test("appending to a file with a second name is refused", async () => {
    await using system = await createTestSystem();
    await writeFile(join(system.root, "one"), "kept");
    await link(join(system.root, "one"), join(system.root, "two"));
    expect((await refusal(system.files(system.root).openAppend("two"))).fault).toBe("hard-linked");
    expect(await readFile(join(system.root, "one"), "utf8")).toBe("kept");
  });
});

describe("things that are no regular files (T39)", () => {
  test.for([
    ["fifo", "named pipe"],
    ["socket", "socket"],
    ["folder", "folder"],
  ])("a %s is refused, never opened", async ([kind = "", shown]) => {
    await using system = await createTestSystem();
    await using _things = await createThings(system.root);
    const files = system.files(system.root);
    const errors = await Promise.all([
      refusal(files.read(kind)),
      refusal(files.write(kind, "")),
      refusal(files.openAppend(kind)),
    ]);
    expect(errors.map(({ fault }) => fault)).toEqual(Array(3).fill("not-regular"));
    expect(errors[0]?.message).toBe(`${kind} is a ${shown}, not a regular file.`);
  });

  test("a device is refused", async () => {
    const error = await refusal(createFiles("/dev").read("zero"));
    expect(error.message).toBe("zero is a device, not a regular file.");
    expect(error.remedy).toBe("Remove /dev/zero, or put a regular file in its place.");
  });

  async function createThings(root: string): Promise<AsyncDisposable> {
    await using system = await createTestSystem();
    await system.ask({ file: "mkfifo", args: ["fifo"], cwd: root, env: process.env });
    await mkdir(join(root, "folder"));
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(join(root, "socket"), resolve));
    return { [Symbol.asyncDispose]: async () => void server.close() };
  }
});

test("a file in place of a folder is named with the cause", async () => {
  await using system = await createTestSystem();
  const files = system.files(system.root);
  await files.write("place", "");
  const error = await refusal(files.write("place/file", ""));
  expect(error).toMatchObject({ reason: "config", fault: "io", path: "place/file" });
  expect(error.message).toContain("EEXIST");
});

test("readers see the old or the new content, never a part", async () => {
  await using system = await createTestSystem();
  const files = system.files(system.root);
  const contents = ["a", "b"].map((letter) => letter.repeat(300_000));
  await files.write("file", contents[0] ?? "");
  const seen = new Set<string>();
  const writes = (async () => {
    for (let round = 0; round < 40; round++) await files.write("file", contents[round % 2] ?? "");
  })();
  for (let round = 0; round < 40; round++) {
    seen.add((await files.read("file"))?.toString() ?? "");
  }
  await writes;
  expect([...seen].every((text) => contents.includes(text))).toBe(true);
  expect(await files.list("")).toEqual(["file"]);
});

test("several make the same missing folders at the same time, the root among them", async () => {
  await using folder = await createTestFolder();
  const files = createFiles(`${folder.path}/missing`);
  const names = Array.from({ length: 20 }, (_, index) => `a/b/c/${index % 4}`);
  await Promise.all(names.map((name) => files.makeFolder(name)));
  expect(await files.list("a/b/c")).toEqual(["0", "1", "2", "3"]);
});
