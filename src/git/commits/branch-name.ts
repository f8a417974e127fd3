/** File names hold 255 bytes, and git adds `.lock`. */
const maxBytes = 244;
/** Leaves room for words. */
const maxPrefix = 30;

const rules: readonly [isBroken: (name: string) => boolean, problem: string][] = [
  [(name) => name === "", "is empty"],
  [(name) => !name.isWellFormed() || Buffer.byteLength(name) > maxBytes, "is too long or not text"],
  [(name) => name.startsWith("-"), "starts with `-`"],
  [(name) => name === "@" || name === "HEAD" || name.startsWith("refs/"), "is reserved"],
  // biome-ignore lint/suspicious/noControlCharactersInRegex: git refuses exactly these.
  [(name) => /[\u0000- \u007f~^:?*[\\]/.test(name), "holds a space or one of `~^:?*[\\`"],
  [(name) => name.includes("..") || name.includes("@{"), "holds `..` or `@{`"],
  [(name) => name.endsWith("."), "ends with `.`"],
  [
    (name) => name.split("/").some((part) => /^$|^\.|\.lock$/.test(part)),
    "has an empty part, or one that starts with `.` or ends with `.lock`",
  ],
];

/**
 * Why a name cannot be that of a branch, or undefined. Never looser than `git check-ref-format --branch`, and
 * stricter about what git would read as something else (T42).
 */
export function branchNameProblem(name: string): string | undefined {
  return rules.find(([isBroken]) => isBroken(name))?.[1];
}

/** Every branch of an autopilot run begins with this: configurations allow doubled slashes, which git does not. */
export function branchStart({ branch_prefix }: { branch_prefix: string }): string {
  return branch_prefix.slice(0, maxPrefix).replace(/\/{2,}/g, "/");
}
