import { existsSync, statSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { supervise } from "../../src/platform/process/supervise.ts";
import type { SupervisedEnd } from "../../src/platform/system.ts";
import { createSandboxSetting, hasBubblewrap, scriptCommand } from "../support/project/sandbox.ts";

/** Each succeeds (exit 0) without the sandbox, which shows that it is the sandbox that stops it. */
const attacks = {
  "writing a git hook (T41)": "echo x > .git/hook",
  "moving .git away (T41)": "mv .git .gone && mv .gone .git",
  "reading the state directory (T47)": "cat ../state/journal",
  "changing the state directory (T47)": "test -s ../state/journal && echo x >> ../state/journal",
  "reading the parent's environment (T16)": `cat /proc/${process.pid}/environ`,
  "signalling our process": `kill -0 ${process.pid}`,
  "reaching a socket in /tmp": "test -S ../door",
  "changing the system (T51)": `test -w "$HOME"`,
} as const;

/** Only root can do these at all; in the sandbox not even root can. */
const rootAttacks = {
  "mounting over .git": "unshare --mount mount -t tmpfs none .git",
  "changing what the kernel runs on a crash": "test -w /proc/sys/kernel/core_pattern",
  "making a device": "mknod device c 1 3 && rm device",
} as const;

async function runBoth(script: string): Promise<{ outside: SupervisedEnd; inside: SupervisedEnd }> {
  await using setting = await createSandboxSetting();
  const server = createServer().listen(join(setting.worktree, "../door"));
  const run = async (isInside: boolean) => {
    const result = await supervise(scriptCommand(script, { ...setting, isInside }));
    expect(result.stderr).not.toContain("bwrap:");
    return result.end;
  };
  const [outside, inside] = [await run(false), await run(true)];
  server.close();
  return { outside, inside };
}

function expectStopped({ outside, inside }: { outside: SupervisedEnd; inside: SupervisedEnd }) {
  expect(outside).toEqual({ kind: "exited", code: 0 });
  expect(inside.kind).toBe("exited");
  expect(inside).not.toEqual({ kind: "exited", code: 0 });
}

describe.skipIf(!hasBubblewrap)("what works without the sandbox fails in it:", () => {
  test.for(Object.entries(attacks))("%s", async ([, script]) => {
    expectStopped(await runBoth(script));
  });

  const isRoot = process.getuid?.() === 0;
  test.skipIf(!isRoot).for(Object.entries(rootAttacks))("%s", async ([, script]) => {
    expectStopped(await runBoth(script));
  });

  test.for([
    [false, true],
    [true, false],
  ])("leaving a file beside the work tree (inside %j: left %j)", async ([isInside, isLeft]) => {
    await using setting = await createSandboxSetting();
    const script = "echo x > ../planted";
    await supervise(scriptCommand(script, { ...setting, isInside: isInside === true }));
    expect(existsSync(join(setting.state, "../planted"))).toBe(isLeft);
  });

  // It has lost parent, group, session and environment, so nothing outside can tell whose it is. It ends with its folder.
  const daemon = `(env -i setsid sh -c 'while [ -e .git ]; do echo >> beat; sleep 0.02; done' &)`;

  test.for([
    [false, true],
    [true, false],
  ])("a daemon that outlives the call (T50; inside %j: alive %j)", async ([isInside, isAlive]) => {
    await using setting = await createSandboxSetting();
    const script = `${daemon}; until [ -s beat ]; do sleep 0.02; done`;
    const result = await supervise(
      scriptCommand(script, { ...setting, isInside: isInside === true }),
    );
    expect(result.end).toEqual({ kind: "exited", code: 0 });
    const countBeats = () => statSync(join(setting.worktree, "beat")).size;
    const before = countBeats();
    if (isAlive) await expect.poll(countBeats).toBeGreaterThan(before);
    else await sleep(200);
    expect(countBeats() > before).toBe(isAlive);
  });
});

/** As root, and as the root of a namespace of its own. */
const returns = ["umount -l .git", "mount -o remount,rw,bind .git", "umount -l ../state"].flatMap(
  (script) => [script, `unshare --user --map-root-user --mount ${script}`],
);

describe.skipIf(!hasBubblewrap)("there is no way back:", () => {
  test.for(returns)("%s", async (script) => {
    await using setting = await createSandboxSetting();
    const { end } = await supervise(scriptCommand(script, { ...setting, isInside: true }));
    expect(end).toMatchObject({ kind: "exited" });
    expect(end).not.toMatchObject({ code: 0 });
  });

  test.skipIf(process.getuid?.() !== 0)(
    "which is the work of the dropped capabilities",
    async () => {
      await using setting = await createSandboxSetting();
      const command = scriptCommand("umount -l .git", { ...setting, isInside: true });
      const args = command.args.filter((arg) => arg !== "--cap-drop" && arg !== "ALL");
      expect((await supervise({ ...command, args })).end).toEqual({ kind: "exited", code: 0 });
    },
  );
});

describe.skipIf(!hasBubblewrap)("what is meant to work in the sandbox works:", () => {
  test.for([
    ["the work tree can be written", "echo x > new && cat new"],
    ["git can be read", "cat .git/config"],
    ["a private /tmp is there", "echo x > /tmp/new && cat /tmp/new"],
    ["devices are there", "echo x > /dev/null && head -c 1 /dev/urandom"],
    ["names resolve as outside", "cat /etc/resolv.conf"],
  ])("%s", async ([, script = ""]) => {
    await using setting = await createSandboxSetting();
    const { end, stderr } = await supervise(scriptCommand(script, { ...setting, isInside: true }));
    expect([end, stderr]).toEqual([{ kind: "exited", code: 0 }, ""]);
  });

  test("cancelling ends the call and all it started", async () => {
    await using setting = await createSandboxSetting();
    const script = "setsid sh -c 'while :; do echo >> beat; sleep 0.02; done'";
    const command = scriptCommand(script, { ...setting, isInside: true });
    const controller = new AbortController();
    const running = supervise({ ...command, signal: controller.signal });
    await expect.poll(() => existsSync(join(setting.worktree, "beat"))).toBe(true);
    controller.abort();
    expect((await running).end).toEqual({ kind: "cancelled" });
    const before = statSync(join(setting.worktree, "beat")).size;
    await sleep(100);
    expect(statSync(join(setting.worktree, "beat")).size).toBe(before);
  });
});
