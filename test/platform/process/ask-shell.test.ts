import { expect, test } from "vitest";
import { createTestSystem } from "../../support/project/system.ts";

type Options = { input?: string | Buffer; maxBytes?: number; env?: Record<string, string> };

/** An environment without variables that a shell gives a meaning to: such a program goes through the shell. */
async function askShell([file = "", ...args]: string[], { env, ...options }: Options = {}) {
  await using system = await createTestSystem();
  const all = { PATH: system.env.PATH, ...env };
  return await system.ask({ file, args, cwd: system.root, env: all, ...options });
}

const parentOf = async (env: Record<string, string> = {}) => {
  const { stdout } = await askShell(["bash", "-c", "echo $PPID"], { env });
  return Number(stdout.toString());
};

test("one shell starts program after program", async () => {
  const parent = await parentOf();
  expect(parent).not.toBe(process.pid);
  expect(await parentOf()).toBe(parent);
});

test("what comes while a shell is busy has the next one, and is started by us when four are busy", async () => {
  await using system = await createTestSystem();
  const echo = { file: "bash", args: ["-c", "echo $PPID"], cwd: system.root };
  const asked = Array.from({ length: 5 }, () =>
    system.ask({ ...echo, env: { PATH: system.env.PATH } }),
  );
  const parents = (await Promise.all(asked)).map(({ stdout }) => Number(stdout.toString()));
  expect(new Set(parents).size).toBe(5);
  expect(parents.at(-1)).toBe(process.pid);
});

test.for([
  ["true", 0],
  ["exit 3", 3],
  ["kill -9 $$", 137],
] as const)("`%s` is exit %i", async ([command, exitCode]) => {
  expect(await askShell(["bash", "-c", command])).toMatchObject({ exitCode });
});

test.for([["no-such-program"], ["/no/such/program"]])(
  "%s is exit 127 and says why",
  async (file) => {
    const { exitCode, stderr } = await askShell(file);
    expect({ exitCode, stderr }).toMatchObject({ exitCode: 127, stderr: /not found/ });
  },
);

test("all bytes of the input arrive and return unchanged", async () => {
  const bytes = Buffer.from(Array.from({ length: 256 }, (_, byte) => byte));
  expect((await askShell(["cat"], { input: bytes })).stdout).toEqual(bytes);
  expect((await askShell(["cat"], { input: "-n %s" })).stdout.toString()).toBe("-n %s");
  expect((await askShell(["cat"], { input: "" })).stdout).toHaveLength(0);
  expect((await askShell(["cat"])).stdout).toHaveLength(0);
});

test("a program that does not read its input is no error", async () => {
  expect((await askShell(["true"], { input: "a".repeat(16_000) })).exitCode).toBe(0);
});

test("arguments and variables mean nothing to the shell", async () => {
  const texts = ["", "a b", "it's", "$(id)", "`id`", "-n", "*", "a\nb", "\\", "!", "ä"];
  const { stdout } = await askShell(["printf", "%s\\0", ...texts]);
  expect(stdout.toString().split("\0").slice(0, -1)).toEqual(texts);
  const env = { GIT_TEXT: texts.join("|") };
  const { stdout: value } = await askShell(["bash", "-c", 'printf %s "$GIT_TEXT"'], { env });
  expect(value.toString()).toBe(texts.join("|"));
});

test("a program sees its own variables only, not those of the one before", async () => {
  await askShell(["true"], { env: { GIT_BEFORE: "1" } });
  const { stdout } = await askShell(["env"], { env: { GIT_NOW: "2" } });
  expect(stdout.toString()).toMatch(/^GIT_NOW=2$/m);
  expect(stdout.toString()).not.toContain("GIT_BEFORE");
});

test("a user's variables reach the program; a shell sets its own", async () => {
  const own = {
    HOME: "/home/ada",
    LD_LIBRARY_PATH: "",
    npm_config_cache: "a b;c",
    IFSX: "'",
    HOSTNAME: "h",
  };
  const env = { ...own, SHLVL: "7", PWD: "/elsewhere", OLDPWD: "/before", _: "/bin/node" };
  const { stdout } = await askShell(["env", "-0"], { env });
  const seen = stdout.toString().split("\0");
  expect(seen).toEqual(
    expect.arrayContaining(Object.entries(own).map(([name, value]) => `${name}=${value}`)),
  );
  expect(seen).not.toContain("SHLVL=7");
  expect(seen).not.toContain("PWD=/elsewhere");
  expect(await parentOf(own)).not.toBe(process.pid);
});

test.for([
  "IFS",
  "BASH_ENV",
  "ENV",
  "UID",
  "PS4",
  "POSIXLY_CORRECT",
  "OPTIND",
  "a-b",
  "BASH_FUNC_f%%",
])("with a variable %s no shell is used", async (name) => {
  expect(await parentOf({ [name]: "1" })).toBe(process.pid);
});

test("a script stops at its first failure and has its own values", async () => {
  const script = 'echo "$#:$1:$2"\nfalse\necho never';
  const { exitCode, stdout } = await askShell(["sh", "-ec", script, "sh", "a b", "$c"]);
  expect({ exitCode, said: stdout.toString() }).toEqual({ exitCode: 1, said: "2:a b:$c\n" });
  expect((await askShell(["sh", "-ec", "cat; echo $#", "sh"], { input: "in" })).stdout).toEqual(
    Buffer.from("in0\n"),
  );
});

test("outputs of several megabytes arrive whole", async () => {
  const { exitCode, stdout, stderr } = await askShell([
    "bash",
    "-c",
    "head -c 3000000 /dev/zero; head -c 1000000 /dev/zero >&2; exit 9",
  ]);
  expect([exitCode, stdout.length, stderr.length]).toEqual([9, 3_000_000, 1_000_000]);
});

test("more output than allowed ends the program, and the next one has a new shell", async () => {
  const parent = await parentOf();
  const result = await askShell(["cat", "/dev/zero"], { maxBytes: 1000 });
  expect(result.exitCode).toBe(1);
  expect(result.stdout).toHaveLength(1000);
  expect(result.stderr).toContain("larger than 1000 bytes");
  expect(await parentOf()).not.toBe(parent);
});

test("exactly as much output as allowed is whole", async () => {
  const result = await askShell(["head", "-c", "1000", "/dev/zero"], { maxBytes: 1000 });
  expect(result).toMatchObject({ exitCode: 0, stdout: Buffer.alloc(1000) });
});

test("a shell that is ended under a program is a failure; one that waited is replaced", async () => {
  const result = await askShell(["bash", "-c", "kill -9 $PPID"]);
  expect(result).toMatchObject({ exitCode: 1, stderr: "bash: it was ended\n" });
  const parent = await parentOf();
  process.kill(parent, "SIGKILL");
  await expect.poll(() => parentOf()).not.toBe(parent);
});

test("a folder that is gone is exit 127", async () => {
  await using system = await createTestSystem();
  const cwd = `${system.root}/gone`;
  const env = { PATH: system.env.PATH };
  expect((await system.ask({ file: "true", args: [], cwd, env })).exitCode).toBe(127);
});
