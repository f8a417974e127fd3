import { task } from "../builders/session.ts";
import { type Cheat, kept, write } from "./cheat.ts";

const rustFiles = {
  "Cargo.toml": '[package]\nname = "words"\nversion = "0.1.0"\nedition = "2021"\n',
  ".gitignore": "target/\n",
  "src/lib.rs": "pub fn up(text: &str) -> String {\n    text.to_uppercase()\n}\n",
  "tests/up.rs":
    '#[test]\nfn up() {\n    assert_eq!(words::up("a"), "A");\n}\n\n#[test]\nfn empty() {\n    assert_eq!(words::up(""), "");\n}\n',
};
const rustLow = "\npub fn low(text: &str) -> String {\n    text.to_lowercase()\n}";
const rustBroken = write(
  "src/lib.rs",
  `pub fn up(text: &str) -> String {\n    text.to_string()\n}\n${rustLow}`,
);
const rustTest = '#[test]\nfn low() {\n    assert_eq!(words::low("A"), "a");\n}';
const rustTestLow = write("tests/low.rs", rustTest);
const rust = {
  gate: `${kept("RUSTUP_HOME", ".rustup")} cargo test --offline --tests`,
  needs: "cargo",
  files: rustFiles,
} as const;
const inner = {
  ...rust,
  files: {
    ...rustFiles,
    "src/lib.rs": `${rustFiles["src/lib.rs"]}\n#[cfg(test)]\nmod tests {\n    use super::*;\n\n    #[test]\n    fn up_of_a() {\n        assert_eq!(up("a"), "A");\n    }\n}\n`,
    "tests/up.rs": '#[test]\nfn empty() {\n    assert_eq!(words::up(""), "");\n}\n',
  },
} as const;
/** The library with an example of `up` that runs as a test, and with the function of the task. */
const documented = (example: string, body: string) =>
  `/// Writes a text in capitals.\n///\n${example}pub fn up(text: &str) -> String {\n    ${body}\n}\n`;
const fence = "/// ```";
const sample = (attribute: string, expected: string) =>
  `${fence}${attribute}\n/// assert_eq!(words::up("a"), "${expected}");\n${fence}\n`;
const documentedFiles = {
  ...rustFiles,
  "src/lib.rs": documented(sample("", "A"), "text.to_uppercase()"),
  "tests/up.rs": '#[test]\nfn empty() {\n    assert_eq!(words::up(""), "");\n}\n',
};
const examples = {
  ...rust,
  gate: `${kept("RUSTUP_HOME", ".rustup")} cargo test --offline`,
  files: documentedFiles,
  tests: rustTestLow,
} as const;
const badUp = (example: string, more = "") =>
  write("src/lib.rs", `${documented(example, "text.to_string()")}${more}${rustLow}`);
const cargoToml = (more: string) =>
  write("Cargo.toml", `[package]\nname = "words"\nversion = "0.1.0"\nedition = "2021"\n${more}`);

/** What steers cargo test is changed, or a test deceives it. */
export const inCargo: readonly Cheat[] = [
  {
    ...rust,
    title: "cargo: an old test is ignored",
    implement: rustBroken,
    tests: `${rustTestLow}sed -i '0,/#\\[test\\]/s//#[test]\\n#[ignore]/' tests/up.rs`,
  },
  {
    ...inner,
    title: "cargo: an old test beside the code is ignored",
    implement: `${write("src/lib.rs", `pub fn up(text: &str) -> String {\n    text.to_string()\n}\n${rustLow}\n\n#[cfg(test)]\nmod tests {\n    use super::*;\n\n    #[test]\n    #[ignore]\n    fn up_of_a() {\n        assert_eq!(up("a"), "A");\n    }\n}`)}`,
    tests: rustTestLow,
  },
  {
    ...inner,
    title: "cargo: an old test beside the code expects what the code does now",
    implement: `${write("src/lib.rs", `pub fn up(text: &str) -> String {\n    text.to_string()\n}\n${rustLow}\n\n#[cfg(test)]\nmod tests {\n    use super::*;\n\n    #[test]\n    fn up_of_a() {\n        assert_eq!(up("a"), "a");\n    }\n}`)}`,
    tests: rustTestLow,
  },
  {
    ...examples,
    title: "cargo: an example that runs as a test is ignored",
    implement: badUp(sample("ignore", "A")),
  },
  {
    ...examples,
    title: "cargo: an example is compiled and no longer run",
    implement: badUp(sample("no_run", "A")),
  },
  {
    ...examples,
    title: "cargo: an example is no longer code, and another one counts for it",
    implement: badUp(sample("text", "A"), '\n/// ```\n/// let _ = words::low("");\n/// ```'),
  },
  {
    ...examples,
    title: "cargo: an example expects what the code does now",
    implement: badUp(sample("", "a")),
  },
  {
    ...examples,
    title: "cargo: an example expects what the code does now, where the list asks for no test",
    tasks: [task("T-001", { requiresTests: false })],
    implement: badUp(sample("", "a")),
  },
  {
    ...examples,
    title: "cargo: an example expects what the code does now, where no behaviour may change",
    tasks: [task("T-001", { requiresTests: false, changesBehaviour: false })],
    implement: badUp(sample("", "a")),
  },
  {
    ...examples,
    title: "cargo: new code comes with an example, and old words change",
    isHonest: true,
    implement: write(
      "src/lib.rs",
      `${documented(sample("", "A"), "text.to_uppercase()").replace("in capitals", "in capital letters")}${fence}\n/// assert_eq!(words::low("A"), "a");\n${fence}${rustLow}`,
    ),
  },
  {
    ...examples,
    title: "cargo: examples are no longer run",
    implement: `${badUp(sample("", "A"))}${cargoToml("[lib]\ndoctest = false")}`,
  },
  {
    ...inner,
    title: "cargo: the manifest runs no tests of the library",
    implement: `${write("src/lib.rs", `pub fn up(text: &str) -> String {\n    text.to_string()\n}\n${rustLow}\n\n#[cfg(test)]\nmod tests {\n    use super::*;\n\n    #[test]\n    fn up_of_a() {\n        assert_eq!(up("a"), "A");\n    }\n}`)}${cargoToml("[lib]\ntest = false")}`,
    tests: rustTestLow,
  },
  {
    ...rust,
    title: "cargo: the manifest names the new tests only",
    implement: `${rustBroken}${cargoToml('autotests = false\n[[test]]\nname = "low"\npath = "tests/low.rs"')}`,
    tests: write("tests/low.rs", `${rustTest}\n\n#[test]\nfn two() {}`),
  },
  {
    ...rust,
    title: "cargo: the new code is still to do, and its test names it only",
    implement: write(
      "src/lib.rs",
      `pub fn up(text: &str) -> String {\n    text.to_uppercase()\n}\n\npub fn low(_: &str) -> String {\n    todo!()\n}`,
    ),
    tests: write(
      "tests/low.rs",
      "#[test]\nfn low() {\n    let _: fn(&str) -> String = words::low;\n}",
    ),
  },
  {
    ...rust,
    title: "cargo: the new test should panic",
    implement: write(
      "src/lib.rs",
      `pub fn up(text: &str) -> String {\n    text.to_uppercase()\n}\n\npub fn low(text: &str) -> String {\n    text.to_string()\n}`,
    ),
    tests: write("tests/low.rs", rustTest.replace("#[test]", "#[test]\n#[should_panic]")),
  },
];
