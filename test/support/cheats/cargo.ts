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
