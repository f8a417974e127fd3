import { expect, test } from "vitest";
import { type SandboxProfile, sandboxCommand } from "../../src/sandbox/profile.ts";

const profile: SandboxProfile = {
  worktree: "/w",
  writable: [],
  readOnly: [],
  hiddenFolders: [],
  hiddenFiles: [],
  isRoot: false,
};

function render(changes: Partial<SandboxProfile> = {}): string {
  const { args } = sandboxCommand(
    { file: "agent", args: ["-p", "--"] },
    { ...profile, ...changes },
  );
  return args.join(" ");
}

test("the whole command, as it is run", () => {
  const text = render({ readOnly: ["/w/.git"], hiddenFolders: ["/home/me/.local/state/ralph"] });
  expect(text.replaceAll(" --", "\n--")).toMatchInlineSnapshot(`
    "--unshare-pid
    --unshare-ipc
    --unshare-uts
    --die-with-parent
    --new-session
    --cap-drop ALL
    --ro-bind / /
    --dev /dev
    --proc /proc
    --tmpfs /run
    --tmpfs /tmp
    --bind /w /w
    --tmpfs /var/tmp
    --ro-bind-try /proc/sys /proc/sys
    --ro-bind-try /proc/sysrq-trigger /proc/sysrq-trigger
    --ro-bind-try /proc/irq /proc/irq
    --ro-bind-try /proc/bus /proc/bus
    --ro-bind-try /run/resolvconf /run/resolvconf
    --ro-bind-try /run/NetworkManager /run/NetworkManager
    --ro-bind-try /run/current-system /run/current-system
    --ro-bind /w/.git /w/.git
    --ro-bind-try /run/systemd/resolve /run/systemd/resolve
    --tmpfs /home/me/.local/state/ralph
    -- agent -p
    --"
  `);
});

test("a filter of system calls is a descriptor that a shell opens", () => {
  const command = sandboxCommand(
    { file: "agent", args: [] },
    { ...profile, filter: "/store/filter" },
  );
  expect(command.file).toBe("sh");
  expect(command.args[1]).toContain('exec bwrap --seccomp 9 "$@" 9<"$0"');
  expect(command.args.slice(2, 4)).toEqual(["/store/filter", "--unshare-pid"]);
});

test("root keeps its rights over files and users only", () => {
  const kept = render({ isRoot: true }).match(/(?<=--cap-add )\w+/g);
  expect(render()).not.toContain("--cap-add");
  expect(kept).toEqual([
    "CAP_CHOWN",
    "CAP_DAC_OVERRIDE",
    "CAP_FOWNER",
    "CAP_FSETID",
    "CAP_SETGID",
    "CAP_SETUID",
  ]);
});

test.for([
  [
    "a work tree below /tmp is seen",
    { worktree: "/tmp/w" },
    ["--tmpfs /tmp ", "--bind /tmp/w /tmp/w"],
  ],
  [
    "a .git inside it is read-only",
    { readOnly: ["/w/.git"] },
    ["--bind /w /w", "--ro-bind /w/.git /w/.git"],
  ],
  [
    "a work tree inside a hidden folder is seen",
    { worktree: "/s/w", hiddenFolders: ["/s"] },
    ["--tmpfs /s ", "--bind /s/w /s/w"],
  ],
  [
    "a hidden folder inside a writable one stays hidden",
    { writable: ["/cache"], hiddenFolders: ["/cache/state"] },
    ["--bind-try /cache /cache", "--tmpfs /cache/state "],
  ],
  [
    "read-only wins over writable",
    { writable: ["/x"], readOnly: ["/x"] },
    ["--bind-try /x /x", "--ro-bind /x /x"],
  ],
  [
    "hidden wins over all",
    { readOnly: ["/x"], hiddenFiles: ["/x"] },
    ["--ro-bind /x /x", "--ro-bind /dev/null /x"],
  ],
  [
    "a real /tmp may be asked for",
    { writable: ["/tmp"] },
    ["--tmpfs /tmp ", "--bind-try /tmp /tmp"],
  ],
] as const)("%s: the inner or stricter rule comes later", ([, changes, [first, second]]) => {
  const text = render(changes);
  expect(text).toContain(first);
  expect(text.lastIndexOf(second)).toBeGreaterThan(text.indexOf(first));
});

test("a program that lies in an emptied folder stays readable, unless it is hidden or in the work tree", () => {
  const command = {
    file: "/tmp/tools/node",
    args: ["/tmp/tools/agent.js", "/tmp/state/journal", "/tmp/w/run.sh", "/opt/tool", "plain"],
  };
  const place = { ...profile, worktree: "/tmp/w", hiddenFolders: ["/tmp/state"] };
  const text = sandboxCommand(command, place).args.join(" ");
  const visible = text.split(" --").filter((option) => /^ro-bind-try \/tmp/.test(option));
  expect(visible).toEqual([
    "ro-bind-try /tmp/tools/node /tmp/tools/node",
    "ro-bind-try /tmp/tools/agent.js /tmp/tools/agent.js",
  ]);
});
