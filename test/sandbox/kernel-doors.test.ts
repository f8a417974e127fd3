import { describe, expect, test } from "vitest";
import { supervise } from "../../src/platform/process/supervise.ts";
import { readStartFailure, type SandboxProfile } from "../../src/sandbox/profile.ts";
import { hasProgram } from "../support/project/programs.ts";
import { createSandboxSetting, hasBubblewrap, scriptCommand } from "../support/project/sandbox.ts";

const calls = {
  x64: { addKey: 248, keyctl: 250, mount: 165, umount: 166, unshare: 272 },
  arm64: { addKey: 217, keyctl: 219, mount: 40, umount: 39, unshare: 97 },
};
const { addKey, keyctl, mount, umount, unshare } =
  calls[process.arch === "arm64" ? "arm64" : "x64"];

/** Namespaces of its own, all rights in them kept: another program started there would lose them. */
const enter = (flags: number) => `syscall(${unshare}, ${flags}) == 0 or die "unshare $!";`;
const newUserAndMounts = 0x10000000 | 0x20000;
const newCgroup = 0x02000000;

/** Each ends well where it succeeds. */
const attacks = {
  "reading the keys of the user": `syscall(${keyctl}, 0, -4, 1) >= 0 or die $!;`,
  "leaving a key for later programs": `my ($t, $n, $v) = ("user", "ralph", "x"); syscall(${addKey}, $t, $n, $v, 1, -4) >= 0 or die $!;`,
  "a socket to the hypervisor": `socket(my $s, 40, 1, 0) or die $!;`,
  "a cgroup of its own, to freeze ralph by": `${enter(newUserAndMounts | newCgroup)} my ($n, $p, $t) = ("none", "/tmp", "cgroup2"); syscall(${mount}, $n, $p, $t, 0, 0) == 0 or die "mount $!"; -e "/tmp/cgroup.procs" or die;`,
};

async function run(script: string, profileOf: (profile: SandboxProfile) => SandboxProfile) {
  await using setting = await createSandboxSetting();
  const command = `exec perl -e '${script}'`;
  const place = { profile: profileOf(setting.profile), isInside: true };
  const { end, stdout, stderr } = await supervise(scriptCommand(command, place));
  expect(stderr).not.toContain("bwrap:");
  return { end, stdout, stderr };
}

const asItIs = (profile: SandboxProfile) => profile;
const withoutFilter = (profile: SandboxProfile) => ({ ...profile, filter: undefined });

const canRun = hasBubblewrap && hasProgram("perl", ["-e", "1"]);
const hasHypervisor = canRun && hasProgram("perl", ["-e", "socket(my $s, 40, 1, 0) or exit 1"]);

describe.skipIf(!canRun)("what works without the filter of system calls fails with it:", () => {
  test.for(Object.entries(attacks))("%s", async ([name, script], { skip }) => {
    skip(
      name === "a socket to the hypervisor" && !hasHypervisor,
      "this kernel has no such sockets",
    );
    expect((await run(script, withoutFilter)).end).toEqual({ kind: "exited", code: 0 });
    const { end, stderr } = await run(script, asItIs);
    expect(end.kind === "exited" && end.code).not.toBe(0);
    expect(stderr).toMatch(/Operation not permitted|Address family not supported/);
  });
});

test("where the filter is gone nothing starts, and that is no failure of the program", async () => {
  await using setting = await createSandboxSetting();
  const filter = `${setting.state}/missing`;
  const place = { profile: { ...setting.profile, filter }, isInside: true };
  const { end, stdout, stderr } = await supervise(scriptCommand("echo started", place));
  expect([end, stdout]).toEqual([{ kind: "exited", code: 1 }, ""]);
  expect(readStartFailure({ code: 1, stderr })).toBe(`${filter} cannot be read`);
});

/** What a program with all rights in namespaces of its own tries; each prints whether it succeeded. */
const tried = (place: string) => `
${enter(newUserAndMounts)}
my ($none, $tmp, $git, $up, $root, $proc, $sys, $over) = ("none", "tmpfs", "${place}/.git", "${place}/../state", "/", "proc", "sysfs", "overlay");
my ($here, $work, $lower) = ("/tmp", "${place}", "lowerdir=/");
sub told { print "$_[0] ", ($_[1] == 0 ? "yes" : "no"), "\\n" }
told("uncover git", syscall(${umount}, $git, 2));
told("uncover state", syscall(${umount}, $up, 2));
told("uncover tmp", syscall(${umount}, $here, 2));
told("write git", syscall(${mount}, 0, $git, 0, 4096 | 32, 0));
told("write all", syscall(${mount}, 0, $root, 0, 4096 | 32, 0));
told("look below", syscall(${mount}, $root, $here, 0, 4096, 0));
told("look below work", syscall(${mount}, $work, $here, 0, 4096, 0));
told("overlay", syscall(${mount}, $none, $here, $over, 0, $lower));
told("proc", syscall(${mount}, $none, $here, $proc, 0, 0));
told("sys", syscall(${mount}, $none, $here, $sys, 0, 0));
told("cover git", syscall(${mount}, $none, $git, $tmp, 0, 0));
`;

test.skipIf(!canRun)(
  "a user namespace of its own takes no mount away: it can only cover more, for itself (T41)",
  async () => {
    await using setting = await createSandboxSetting();
    const script = `exec perl -e '${tried(setting.worktree)}'`;
    const place = { profile: setting.profile, isInside: true };
    const { stdout, stderr } = await supervise(scriptCommand(script, place));
    expect(stderr).toBe("");
    const lines = stdout.trim().split("\n");
    expect(lines).toHaveLength(11);
    expect(lines.filter((line) => line.endsWith(" yes"))).toEqual(["cover git yes"]);
  },
);
