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
    "poetry, which only runs required tools",
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
    "pip, which installs no dependency groups",
    { "pyproject.toml": `[project]\nname = "x"\n${pytest}`, "tests/unit/test_a.py": "" },
    {
      template: "python",
      setup: ["python3 -m venv .venv && .venv/bin/pip install --quiet --editable . pytest"],
      gates: ["pytest: .venv/bin/python -m pytest -q"],
    },
  ],
  [
    "pip with extras, of which one names the tool",
    {
      "pyproject.toml":
        '[project]\nname = "x"\n[project.optional-dependencies]\nall = ["ruff"]\ndev = [\n  "pytest>=8",\n]\n',
    },
    {
      template: "python",
      setup: ['python3 -m venv .venv && .venv/bin/pip install --quiet --editable ".[dev]" ruff'],
      gates: ["ruff: .venv/bin/python -m ruff check .", "pytest: .venv/bin/python -m pytest -q"],
    },
  ],
  [
    "hatch, whose environments pip does not know",
    {
      "pyproject.toml":
        '[project]\nname = "x"\n[tool.hatch.envs.types]\nextra-dependencies = ["mypy>=1"]\n',
      "src/x/a.py": "",
    },
    {
      template: "python",
      setup: ["python3 -m venv .venv && .venv/bin/pip install --quiet --editable . mypy"],
      gates: ["mypy: .venv/bin/python -m mypy src"],
    },
  ],
  [
    "requirements for other places than this one",
    { "setup.cfg": "[flake8]\n", "requirements-dev.txt": "flake8\n", "requirements-gpu.txt": "" },
    {
      template: "python",
      setup: [
        "python3 -m venv .venv && .venv/bin/pip install --quiet --requirement requirements-dev.txt",
      ],
      gates: ["flake8: .venv/bin/python -m flake8 --extend-exclude .venv"],
    },
  ],
  [
    "checkers that tox limits to some files",
    {
      "setup.py": "",
      "tox.ini":
        "[testenv:lint]\ndeps =\n    flake8 >= 6\n    mypy\ncommands =\n  flake8 --select=E six.py\n  python -m mypy {posargs:src tools}\n",
    },
    {
      template: "python",
      setup: ["python3 -m venv .venv && .venv/bin/pip install --quiet --editable . flake8 mypy"],
      gates: [
        "flake8: .venv/bin/python -m flake8 --select=E six.py --extend-exclude .venv",
        "mypy: .venv/bin/python -m mypy src tools",
      ],
    },
  ],
  [
    "a checker that tox calls with its own variables",
    { "tox.ini": "[testenv]\ncommands = flake8 {toxinidir}/src\n[flake8]\n" },
    {
      template: "python",
      setup: ["python3 -m venv .venv && .venv/bin/pip install --quiet flake8"],
      gates: ["flake8: .venv/bin/python -m flake8 --extend-exclude .venv"],
    },
  ],
  [
    "uv with more groups than dev",
    {
      "pyproject.toml":
        '[project]\nname = "x"\n[dependency-groups]\ntest = ["pytest"]\n[build-system]\nbuild-backend = "uv_build"\n',
      "tox.ini": "[mypy]\n",
    },
    {
      template: "python",
      setup: ["uv sync --all-groups"],
      gates: ["mypy: uv run --with mypy mypy .", "pytest: uv run pytest -q"],
    },
  ],
  [
    "poetry, known by what builds the package",
    {
      "pyproject.toml": `[project]\nname = "x"\n${pytest}[build-system]\nbuild-backend = "poetry.core.masonry.api"\n`,
    },
    {
      template: "python",
      setup: ["poetry install --no-interaction"],
      gates: ["pytest: poetry run pytest -q"],
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
    "Go behind a front end",
    { "backend/go.mod": "module x\n", "web/package.json": { scripts: { test: "x" } } },
    {
      template: "fullstack",
      setup: ["cd backend && go mod download"],
      gates: [
        "backend-go-vet: cd backend && go vet ./...",
        "web-test: cd web && npm test",
        "backend-go-test: cd backend && go test ./...",
      ],
    },
  ],
  [
    "Ruby with a Rakefile and a linter",
    {
      Gemfile: 'gem "rubocop"\n',
      ".rubocop.yml": "",
      Rakefile: "Minitest::TestTask.create\n",
    },
    {
      template: "minimal",
      setup: ["bundle config set --local path vendor/bundle && bundle install"],
      gates: ["rubocop: bundle exec rubocop", "rake-test: bundle exec rake test"],
    },
  ],
  [
    "Ruby with RSpec, a linter that is no dependency, and a Rakefile without tests",
    { Gemfile: "gemspec\n", ".rspec": "", ".rubocop.yml": "", Rakefile: "task :release\n" },
    {
      template: "minimal",
      setup: ["bundle config set --local path vendor/bundle && bundle install"],
      gates: ["rspec: bundle exec rspec"],
    },
  ],
  [
    "PHP",
    {
      "composer.json": { "require-dev": { "phpstan/phpstan": "^2" } },
      "phpstan.neon.dist": "",
      "phpunit.xml.dist": "",
    },
    {
      template: "minimal",
      setup: ["composer install --no-interaction --no-progress"],
      gates: ["phpstan: vendor/bin/phpstan analyse --no-progress", "phpunit: vendor/bin/phpunit"],
    },
  ],
  [
    ".NET",
    { "Shop.slnx": "" },
    {
      template: "minimal",
      setup: ["dotnet restore"],
      gates: ["dotnet-build: dotnet build --no-restore", "dotnet-test: dotnet test --no-restore"],
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
