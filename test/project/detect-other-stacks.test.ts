import { expect, test } from "vitest";
import { detect, type Tree } from "./detect.ts";

const scripts = { lint: "x", typecheck: "x", build: "x", test: "x" };
const pytest = '[dependency-groups]\ndev = ["pytest>=8"]\n';

test.each<[string, Tree, { template: string; setup: string[]; gates: string[] }]>([
  [
    "a Python project that names no tools",
    { "pyproject.toml": '[project]\nname = "x"\n' },
    {
      template: "python",
      setup: ["python3 -m venv .venv && .venv/bin/pip install --quiet --editable ."],
      gates: [],
    },
  ],
  [
    "scripts with a requirements.txt alone",
    { "requirements.txt": "flask\npytest\n", "app.py": "" },
    {
      template: "python",
      setup: [
        "python3 -m venv .venv && .venv/bin/pip install --quiet --requirement requirements.txt",
      ],
      gates: ["pytest: .venv/bin/python -m pytest -q"],
    },
  ],
  [
    "uv with a lockfile",
    { "pyproject.toml": `${pytest}[tool.ruff]\nline-length = 100\n`, "uv.lock": "" },
    {
      template: "python",
      setup: ["uv sync --locked"],
      gates: ["ruff: uv run --with ruff ruff check .", "pytest: uv run pytest -q"],
    },
  ],
  [
    "poetry, where only what is required can run",
    {
      "pyproject.toml": '[tool.poetry.group.dev.dependencies]\npytest = "^8"\n[tool.mypy]\n',
      "poetry.lock": "",
    },
    {
      template: "python",
      setup: ["poetry install --no-interaction"],
      gates: ["pytest: poetry run pytest -q"],
    },
  ],
  [
    "pip with requirements and configured tools",
    {
      "setup.py": "",
      "requirements.txt": "flask\n# pytest\n",
      "requirements-dev.txt": "mypy==1.0\n",
      "pytest.ini": "",
      "src/x.py": "",
    },
    {
      template: "python",
      setup: [
        "python3 -m venv .venv && .venv/bin/pip install --quiet --requirement requirements-dev.txt --requirement requirements.txt --editable . pytest",
      ],
      gates: ["mypy: .venv/bin/python -m mypy src", "pytest: .venv/bin/python -m pytest -q"],
    },
  ],
  [
    "unittest",
    { "pyproject.toml": "", "tests/test_a.py": "import unittest\n" },
    {
      template: "python",
      setup: [],
      gates: ["unittest: python3 -m unittest discover --start-directory tests"],
    },
  ],
  [
    "Python with a front end",
    {
      "pyproject.toml": pytest,
      "uv.lock": "",
      "frontend/package.json": { scripts },
      "frontend/package-lock.json": "{}",
    },
    {
      template: "fullstack",
      setup: ["uv sync --locked", "cd frontend && npm ci"],
      gates: [
        "frontend-lint: cd frontend && npm run lint",
        "frontend-typecheck: cd frontend && npm run typecheck",
        "frontend-build: cd frontend && npm run build",
        "pytest: uv run pytest -q",
        "frontend-test: cd frontend && npm test",
      ],
    },
  ],
  [
    "a front end alone, which is fullstack",
    { "frontend/package.json": { scripts: { test: "x" } } },
    { template: "fullstack", setup: [], gates: ["frontend-test: cd frontend && npm test"] },
  ],
  [
    "Go",
    { "go.mod": "module x\n" },
    {
      template: "minimal",
      setup: ["go mod download"],
      gates: ["go-vet: go vet ./...", "go-test: go test ./..."],
    },
  ],
  [
    "Rust",
    { "Cargo.toml": "[package]\n" },
    {
      template: "minimal",
      setup: ["cargo fetch"],
      gates: ["cargo-check: cargo check --all-targets", "cargo-test: cargo test"],
    },
  ],
  [
    "a Makefile with targets",
    { Makefile: "CHECK := x\n.PHONY: test lint\nlint test: build\n\tx\n" },
    { template: "minimal", setup: [], gates: ["make-lint: make lint", "make-test: make test"] },
  ],
  [
    "a Makefile beside a package.json that says enough",
    { Makefile: "test:\n", "package.json": { scripts: { test: "x" } } },
    { template: "node", setup: [], gates: ["test: npm test"] },
  ],
])("only what can run is proposed for %s", async (_, tree, expected) => {
  expect(await detect(tree)).toMatchObject(expected);
});
