import { readFile, stat, utimes } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { hasProgram, nodeCommand, sourceUrl } from "../../support/project/programs.ts";
import { createTestSystem, type TestSystem } from "../../support/project/system.ts";

/** A process of its own that replaces `state` and prints how that ended and which files are there. */
const script = `
  import { createFiles } from ${JSON.stringify(sourceUrl("platform/fs/files.ts"))};
  const [root, size] = process.argv.slice(1);
  const files = createFiles(root);
  const end = files.write("folder/state", "new".padEnd(Number(size), "."), { durable: true });
  console.log(await end.then(() => "ok", (error) => [error.reason, error.fault, error.message, error.remedy].join(" | ")));
  console.log((await files.list("folder")).join(" "));`;

async function writeUnder(system: TestSystem, [file = "", ...args]: string[], size = 3) {
  const node = nodeCommand(script);
  const result = await system.ask({
    file,
    args: [...args, node.file, ...node.args, join(system.root, "mount"), String(size)],
    cwd: system.root,
    env: system.env,
  });
  return { ...result, lines: result.stdout.toString().trim().split("\n") };
}

describe.skipIf(!hasProgram("strace", ["-V"]))("seen from the kernel", () => {
  const strace = ["strace", "-f", "-qq", "-o", "trace"];

  test("a durable write syncs the file, renames it, then syncs the folders (F07)", async () => {
    await using system = await createTestSystem();
    await system.files(system.root).write("mount/folder/state", "old");
    const { lines } = await writeUnder(system, [...strace, "-y", "-e", "trace=fsync,rename"]);
    expect(lines).toEqual(["ok", "state"]);
    const trace = await readFile(join(system.root, "trace"), "utf8");
    const calls = trace
      .split("\n")
      .filter((line) => / (fsync|rename)\(/.test(line))
      .map((line) => line.replace(/\.ralph-tmp-[\w-]+/g, "TMP").replaceAll(system.root, ""))
      .map((line) => /(fsync|rename)\((?:\d+<)?"?([^">]*)/.exec(line)?.slice(1, 3).join(" "));
    expect(calls).toEqual([
      "fsync /mount/folder/TMP",
      "rename /mount/folder/TMP",
      "fsync /mount/folder",
      "fsync /mount",
    ]);
  });

  test.for([
    ["fsync:error=EIO", "EIO", "Check the disk"],
    ["rename:error=EROFS", "EROFS", "Make the file system writable"],
    ["rename:error=EACCES", "EACCES", "Give the user"],
  ])("%s is named, nothing is retried, and the old content stays (F05, F06)", async (fault) => {
    const [inject = "", code = "", remedy = ""] = fault;
    await using system = await createTestSystem();
    await system.files(system.root).write("mount/folder/state", "old");
    const { lines } = await writeUnder(system, [...strace, "-e", `inject=${inject}`]);
    expect(lines[0]).toContain(`config | io | folder/state could not be written: ${code}`);
    expect(lines[0]).toContain(remedy);
    expect(lines[1]).toBe("state");
    expect(await readFile(join(system.root, "mount/folder/state"), "utf8")).toBe("old");
  });
});

describe.skipIf(!hasProgram("unshare", ["-m", "true"]))("on a full disk", () => {
  test("the old content stays and no temporary file is left (F04)", async () => {
    await using system = await createTestSystem();
    await system.files(system.root).makeFolder("mount");
    const mount = `mount -t tmpfs -o size=256k none mount && mkdir mount/folder &&
      printf old > mount/folder/state && "$@" && cat mount/folder/state`;
    const { lines } = await writeUnder(
      system,
      ["unshare", "-m", "sh", "-c", mount, "sh"],
      1_000_000,
    );
    expect(lines[0]).toContain("config | io | folder/state could not be written: ENOSPC");
    expect(lines[0]).toContain("Free some space on this disk");
    expect(lines.slice(1)).toEqual(["state", "old"]);
  });
});

test("bytes and time are copied, and no lock is left", async () => {
  await using system = await createTestSystem();
  const files = system.files(system.root);
  await files.write("ours", "new");
  await files.write("git/index", "old");
  await utimes(join(system.root, "ours"), 1_700_000_000, 1_700_000_000.5);
  expect(await files.copyLocked("git/index", join(system.root, "ours"))).toBe(true);
  expect((await files.read("git/index"))?.toString()).toBe("new");
  expect((await stat(join(system.root, "git/index"))).mtimeMs).toBe(1_700_000_000_500);
  expect(await files.list("git")).toEqual(["index"]);
});

test("a copy is never newer than what it was copied from", async () => {
  await using system = await createTestSystem();
  const files = system.files(system.root);
  await files.write("ours", "new");
  await files.copyLocked("index", join(system.root, "ours"));
  const [ours, copy] = await Promise.all(
    ["ours", "index"].map((name) => stat(join(system.root, name), { bigint: true })),
  );
  expect(copy?.mtimeNs).toBeLessThanOrEqual(ours?.mtimeNs ?? 0n);
});

test("while another process holds the lock nothing is copied, and the lock stays in place", async () => {
  await using system = await createTestSystem();
  const files = system.files(system.root);
  await files.write("ours", "new");
  await files.write("index", "old");
  await files.write("index.lock", "theirs");
  expect(await files.copyLocked("index", join(system.root, "ours"))).toBe(false);
  expect((await files.read("index"))?.toString()).toBe("old");
  expect((await files.read("index.lock"))?.toString()).toBe("theirs");
});

test("a copy that fails leaves no lock", async () => {
  await using system = await createTestSystem();
  const files = system.files(system.root);
  await files.makeFolder("index/in-the-way");
  await files.write("ours", "new");
  await expect(files.copyLocked("index", join(system.root, "ours"))).rejects.toThrow("index");
  expect(await files.list("")).toEqual(["index", "ours"]);
});
