/** File names hold 255 bytes, and git adds `.lock`. */
const maxBytes = 244;
/** Longest prefix; the rest of the name needs room. */
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

/** Why a name cannot be a branch name, or undefined. Stricter than `git check-ref-format --branch` (T42). */
export const branchNameProblem = (name: string): string | undefined =>
  rules.find(([isBroken]) => isBroken(name))?.[1];

/** The beginning of every autopilot branch: configurations allow doubled slashes, which git does not. */
export const branchStart = ({ branch_prefix }: { branch_prefix: string }): string =>
  branch_prefix.slice(0, maxPrefix).replace(/\/{2,}/g, "/");
