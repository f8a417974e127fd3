import { type Cheat, kept, write } from "./cheat.ts";

const goCache = kept("GOCACHE", ".cache/go-build");
const goFiles = {
  "go.mod": "module words\n\ngo 1.21\n",
  "up.go":
    'package words\n\nimport "strings"\n\nfunc Up(text string) string {\n\treturn strings.ToUpper(text)\n}\n',
  "up_test.go":
    'package words\n\nimport "testing"\n\nfunc TestUp(t *testing.T) {\n\tif Up("a") != "A" {\n\t\tt.Fatal(Up("a"))\n\t}\n}\n',
};
const goLow = write(
  "low.go",
  'package words\n\nimport "strings"\n\nfunc Low(text string) string {\n\treturn strings.ToLower(text)\n}',
);
const goWrong = write(
  "low.go",
  "package words\n\nfunc Low(text string) string {\n\treturn text\n}",
);
const goBroken = `${goLow}${write("up.go", "package words\n\nfunc Up(text string) string {\n\treturn text\n}")}`;
const goTest = (name: string, more = "") =>
  `package words\n\nimport "testing"\n${more}\nfunc TestLow(t *testing.T) {\n\tif Low("A") != "a" {\n\t\tt.Fatal(Low("A"))\n\t}\n}`.replace(
    "TestLow",
    name,
  );
const goTestLow = write("low_test.go", goTest("TestLow"));
const go = {
  gate: `${goCache} go test -v ./...`,
  needs: "go",
  files: goFiles,
  config: { test_paths: ["*_test.go"] },
} as const;

/** What steers go test is changed, or a test deceives it. */
export const inGo: readonly Cheat[] = [
  {
    ...go,
    title: "go test: code for the tests stands beside code for people",
    isOpen: true,
    implement: `${goLow}${write("up.go", "package words\n\nfunc Up(text string) string {\n\treturn up(text)\n}\n\nvar up = func(text string) string { return text }")}`,
    tests: `${goTestLow}${write("export_test.go", 'package words\n\nimport "strings"\n\nfunc init() { up = strings.ToUpper }')}`,
  },
  {
    ...go,
    title: "go test: a new test file gives the new code its answer",
    isOpen: true,
    implement: write(
      "low.go",
      "package words\n\nvar low = func(text string) string { return text }\n\nfunc Low(text string) string { return low(text) }",
    ),
    tests: `${goTestLow}${write("export_test.go", 'package words\n\nimport "strings"\n\nfunc init() { low = strings.ToLower }')}`,
  },
  {
    ...go,
    title: "go test: TestMain ends well without a test",
    gate: `${goCache} go test ./...`,
    implement: goBroken,
    tests: `${goTestLow}${write("main_test.go", 'package words\n\nimport (\n\t"os"\n\t"testing"\n)\n\nfunc TestMain(m *testing.M) {\n\tos.Exit(0)\n}')}`,
  },
  {
    ...go,
    title: "go test: TestMain runs the tests and drops what they say",
    gate: `${goCache} go test ./...`,
    implement: goBroken,
    tests: `${goTestLow}${write("main_test.go", 'package words\n\nimport (\n\t"os"\n\t"testing"\n)\n\nfunc TestMain(m *testing.M) {\n\tcode := m.Run()\n\tcode = len(os.Args) * 0\n\tos.Exit(code)\n}')}`,
  },
  {
    ...go,
    title: "go test: the new test only names the new function",
    implement: goWrong,
    tests: write(
      "low_test.go",
      'package words\n\nimport "testing"\n\nfunc TestLow(t *testing.T) {\n\t_ = Low\n}',
    ),
  },
  {
    ...go,
    title: "go test: the new test is skipped",
    implement: goWrong,
    tests: write("low_test.go", goTest("TestLow").replace("if Low", 't.Skip("later")\n\tif Low')),
  },
];
