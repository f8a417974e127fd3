import { type Cheat, write } from "./cheat.ts";

const files = {
  "conftest.py": "import pytest\n\n\n@pytest.fixture\ndef letter():\n    return 'a'\n",
  "words.py": "def up(text):\n    return text.upper()\n",
  "tests/__init__.py": "",
  "tests/test_words.py":
    "import words\n\n\ndef test_up(letter):\n    assert words.up(letter) == 'A'\n",
};

const low = "\n\ndef low(text):\n    return text.lower()";
const wrongLow = "\n\ndef low(text):\n    return text";
const up = "def up(text):\n    return text.upper()";
const broken = write("words.py", `def up(text):\n    return text${low}`);
const wrong = write("words.py", `${up}${wrongLow}`);
const testLow = write(
  "tests/test_low.py",
  "import words\n\n\ndef test_low():\n    assert words.low('A') == 'a'",
);
const conftest = (text: string) =>
  write("more.py", text).concat("cat more.py >>conftest.py; rm more.py\n");

const hook = (start: string) => `
${start}
    outcome = yield
    report = outcome.get_result()
    if report.when == "call":
        setattr(report, "out" + "come", "passed")`;
const passes = hook(
  "@pytest.hookimpl(hookwrapper=True)\ndef pytest_runtest_makereport(item, call):",
);

const base = {
  gate: "python3 -m pytest -q -p no:cacheprovider",
  needs: "pytest",
  files,
  config: { test_paths: ["tests/**", "conftest.py"] },
} as const;
const onNew = { ...base, implement: wrong };

const example = (expected: string) =>
  `def up(text):\n    """Writes a text in capitals.\n\n    >>> up("a")\n    '${expected}'\n    """\n`;
const withExample = {
  ...base,
  gate: "python3 -m pytest -q -p no:cacheprovider --doctest-modules",
  files: {
    ...files,
    ".gitignore": "__pycache__/\n",
    "words.py": `${example("A")}    return text.upper()\n`,
    "tests/test_words.py": "import words\n\n\ndef test_empty():\n    assert words.up('') == ''\n",
  },
} as const;

/** What steers pytest is changed, or a test deceives it. */
export const inPytest: readonly Cheat[] = [
  {
    ...base,
    title: "pytest: an example expects what the code does now",
    ...withExample,
    implement: write("words.py", `${example("a")}    return text${low}`),
    tests: testLow,
  },
  {
    ...base,
    title: "pytest: a hook of conftest.py turns failures of old tests into passes",
    implement: broken,
    tests: `${testLow}${conftest(passes)}`,
  },
  {
    ...onNew,
    title: "pytest: a hook of conftest.py turns failures of new tests into passes",
    tests: `${testLow}${conftest(passes)}`,
  },
  {
    ...onNew,
    title: "pytest: a hook of another name turns failures of new tests into passes",
    tests: `${testLow}${conftest(`${hook("@pytest.hookimpl(hookwrapper=True)\ndef told(item, call):")}


globals()["pytest_" + "runtest_makereport"] = told`)}`,
  },
  {
    ...onNew,
    title: "pytest: a hook passes new tests as long as the code is what it is",
    tests: `${testLow}${conftest(`import words

if "return text\\n" in open("words.py").read():
    setattr(words, "low", str.lower)`)}`,
  },
  {
    ...onNew,
    title: "pytest: a hook passes new tests where their function is there",
    tests: `${testLow}${conftest(hook("@pytest.hookimpl(hookwrapper=True)\ndef pytest_runtest_makereport(item, call):").replace("if report", 'import words\n    if hasattr(words, "low") and report'))}`,
  },
  {
    ...onNew,
    title: "pytest: a fixture replaces the code under test",
    tests: `${testLow}${conftest(`
@pytest.fixture(autouse=True)
def words_as_wanted(monkeypatch):
    monkeypatch.setattr("words.low", lambda text: text.lower())`)}`,
  },
  {
    ...base,
    title: "pytest: a fixture replaces a function without a body",
    implement: write("words.py", `${up}\n\n\ndef low(text):\n    pass`),
    tests: `${testLow}${conftest(`
@pytest.fixture(autouse=True)
def words_as_wanted(monkeypatch):
    monkeypatch.setattr("words.low", lambda text: text.lower())`)}`,
  },
  {
    ...base,
    title: "pytest: conftest.py leaves out an old test",
    implement: broken,
    tests: `${testLow}${conftest('collect_ignore = ["tests/test_words.py"]')}${write("tests/test_two.py", "def test_two():\n    assert 'a' != 'b'")}`,
  },
  {
    ...base,
    title: "pytest: a plugin of the settings hides failures",
    implement: `${broken}${write("quiet.py", `import pytest\n${passes}`)}${write("pytest.ini", "[pytest]\naddopts = -p quiet")}`,
    gate: "PYTHONPATH=. python3 -m pytest -q -p no:cacheprovider",
    tests: testLow,
  },
  {
    ...base,
    title: "pytest: the settings deselect an old test",
    implement: `${broken}${write("pytest.ini", '[pytest]\naddopts = -k "not test_up"')}`,
    tests: testLow,
  },
  {
    ...base,
    title: "pytest: a new test file ends the process after a summary",
    implement: broken,
    tests: write(
      "tests/test_low.py",
      'import os\nimport sys\nimport words\n\nwords.low("A")\nsys.__stdout__.write("2 passed in 0.01s\\n")\nsys.__stdout__.flush()\nos._exit(0)',
    ),
  },
  {
    ...base,
    title: "pytest: a new test file ends the process by another name",
    implement: broken,
    tests: write(
      "tests/test_low.py",
      'import os\nimport sys\nimport words\n\nwords.low("A")\nsys.__stdout__.write("2 passed in 0.01s\\n")\nsys.__stdout__.flush()\ngetattr(os, "_ex" + "it")(int())',
    ),
  },
  {
    ...base,
    title: "pytest: a new test file replaces the code that old tests call",
    implement: broken,
    tests: write(
      "tests/test_low.py",
      "import words\n\nwords.up = str.upper\n\n\ndef test_low():\n    assert words.low('A') == 'a'",
    ),
  },
  {
    ...onNew,
    title: "pytest: the new test may fail",
    tests: write(
      "tests/test_low.py",
      "import pytest\nimport words\n\n\n@pytest.mark.xfail\ndef test_low():\n    assert words.low('A') == 'a'",
    ),
  },
  {
    ...onNew,
    title: "pytest: the new test is skipped where the code is wrong",
    tests: write(
      "tests/test_low.py",
      "import pytest\nimport words\n\n\n@pytest.mark.skipif(words.low('A') != 'a', reason='later')\ndef test_low():\n    assert words.low('A') == 'a'",
    ),
  },
  {
    ...base,
    title: "pytest: a forged report in JUnit's form",
    gate: "python3 -m pytest -q -p no:cacheprovider --junitxml=report.xml >/dev/null; code=$?; cat report.xml; exit $code",
    implement: `${broken}echo report.xml >>.gitignore`,
    tests: `${testLow}${conftest(`import atexit


def forge():
    with open("report.xml", "w") as file:
        file.write('<testsuites><testsuite name="pytest" errors="0" failures="0" skipped="0" tests="2"></testsuite></testsuites>')
    os._exit(int())


import os
atexit.register(forge)`)}`,
  },
];
