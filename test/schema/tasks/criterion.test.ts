import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type Criterion, parseCriterion } from "../../../src/schema/tasks/criterion.ts";
import { growthOf, linear } from "../../support/measures/growth.ts";

const command = (text: string): Criterion => ({ kind: "command", command: text });
const exists = (path: string): Criterion => ({ kind: "file-exists", path });
const contains = (path: string, text: string): Criterion => ({ kind: "file-contains", path, text });
const judged: Criterion = { kind: "judged" };
const api = (method: string, target: string, status: number, body?: string): Criterion => ({
  kind: "api",
  request: { method, target, status, ...(body !== undefined && { body }) },
});
const browser = (words: string): Criterion => ({ kind: "browser", words });

describe("a criterion that is one of the forms is read", () => {
  test.each<[string, Criterion]>([
    ["Run `npm test` - exits with code 0", command("npm test")],
    ["Run `npm test` \u2013 exits with code 0", command("npm test")],
    ["Run `npm test` \u2014 exits with code 0", command("npm test")],
    ["Run `npm test`\u2014exits with code 0", command("npm test")],
    ["Run `npm test` \u2212 exits with code 0", command("npm test")],
    ["Run `npm test` -- exits with code 0", command("npm test")],
    ["Run `npm test` -> exits with code 0", command("npm test")],
    ["Run `npm test`: exit code 0", command("npm test")],
    ["Run `npm test`, exits with 0", command("npm test")],
    ["Run `npm test` exits with code 0", command("npm test")],
    ["run `npm test` - Exit Code 0", command("npm test")],
    ["Run `npm test` - exit code is 0", command("npm test")],
    ["Run `npm test` - exits 0", command("npm test")],
    ["Run `npm test` - exits with exit code 0", command("npm test")],
    ["Run `npm test` - exits with status 0", command("npm test")],
    ["Run `npm test` - exits with code zero", command("npm test")],
    ["Run `npm test` - with exit status 0", command("npm test")],
    ["Run `npm test` - succeeds", command("npm test")],
    ["Run `npm test` succeeds.", command("npm test")],
    ["  Run  `npm test`  -  exits with code 0. ", command("npm test")],
    ["Run `npm test` - exits with code 0;", command("npm test")],
    ["Run `npm test` - exits with code 0!", command("npm test")],
    ["Run ``echo `date` `` - exits with code 0", command("echo `date`")],
    ["Run ```npm test``` - exits with code 0", command("npm test")],
    ["Run \\`npm test\\` - exits with code 0", command("npm test")],
    ["Run ` npm test ` - exits with code 0", command("npm test")],
    [
      'Run `uv run python -c "import jwt"` - exits with code 0',
      command('uv run python -c "import jwt"'),
    ],
    ["Run `a -- b \u2014 c` - exits with code 0", command("a -- b \u2014 c")],
    ["File `src/auth.py` exists", exists("src/auth.py")],
    ["File `src/auth.py` exists.", exists("src/auth.py")],
    ["The file `src/auth.py` exists", exists("src/auth.py")],
    ["file `./src/auth.py` exists", exists("src/auth.py")],
    ["File \\`src/auth.py\\` exists", exists("src/auth.py")],
    ["File `.github/workflows/ci.yml` exists", exists(".github/workflows/ci.yml")],
    ["File `.gitignore` exists", exists(".gitignore")],
    ["File `app/[id]/my page.tsx` exists", exists("app/[id]/my page.tsx")],
    ["File `config.py` contains `JWT_SECRET`", contains("config.py", "JWT_SECRET")],
    ["File `config.py` contains `JWT_SECRET`.", contains("config.py", "JWT_SECRET")],
    ["File `config.py` contains the text `a  b`", contains("config.py", "a  b")],
    ["File `config.py` contains string `x`", contains("config.py", "x")],
    ["File `README.md` contains `` `npm test` ``", contains("README.md", "`npm test`")],
    ["POST /api/login returns 200", api("POST", "/api/login", 200)],
    [
      "GET `http://localhost:3000/health` returns 204.",
      api("GET", "http://localhost:3000/health", 204),
    ],
    ["DELETE /api/x returns HTTP status code 404", api("DELETE", "/api/x", 404)],
    ["GET `/api/users?q=a` returns 2xx", api("GET", "/api/users?q=a", 2)],
    ['POST /users {"name": "Ann"} returns 201', api("POST", "/users", 201, '{"name": "Ann"}')],
    ["PUT /users/1 with body `{}` returns status 200", api("PUT", "/users/1", 200, "{}")],
    ["POST /tags with [1, 2] returns 201", api("POST", "/tags", 201, "[1, 2]")],
    ["agent-browser: open `/login` - form renders", browser("open `/login` - form renders")],
    ['agent-browser: click "Submit" - redirects', browser('click "Submit" - redirects')],
    ["agent-browser: console shows no errors", browser("console shows no errors")],
  ])("%s", (text, expected) => expect(parseCriterion(text)).toEqual(expected));
});

describe("everything else is left to the reviewer", () => {
  test.each([
    "",
    " ",
    "The login form is easy to use",
    "Run npm test - exits with code 0",
    "GET //evil.example/x returns 200",
    "GET api/users returns 200",
    "POST /users {name} returns 201",
    "POST /users returns 999",
    "Run `npm test`",
    "Run `npm test` - passes all tests",
    "Run `npm test` - exits with code 1",
    "Run `npm test` - exits with code 01",
    "Run `npm test` - exits with code 0 and prints OK",
    "Run `npm test` in `frontend` - exits with code 0",
    "Run `npm test` and `npm run lint` - exits with code 0",
    "Please run `npm test` - exits with code 0",
    "After the change: Run `npm test` - exits with code 0",
    "Run `` - exits with code 0",
    "Run ` ` - exits with code 0",
    "Run `npm test - exits with code 0",
    "Run ``npm test` - exits with code 0",
    "Run `a\nb` - exits with code 0",
    "Run `a\0b` - exits with code 0",
    "Run \0 - exits with code 0",
    "Does not run `npm test` - succeeds",
    "File src/auth.py exists",
    "File `src/auth.py` does not exist",
    "File `src/auth.py` exists and exports `login`",
    "Files `src/a.py` and `src/b.py` exist",
    "The config file `a.py` exists",
    "Profile `a.py` exists",
    "File `/etc/passwd` exists",
    "File `../secret` exists",
    "File `src/../../secret` exists",
    "File `./../secret` exists",
    "File `~/.ssh/id_rsa` exists",
    "File `C:/x` exists",
    "File `src\\auth.py` exists",
    "File `src//auth.py` exists",
    "File `src/./auth.py` exists",
    "File `src/` exists",
    "File `.` exists",
    "File `` exists",
    "File `.git/config` exists",
    "File `sub/.GIT/config` exists",
    "File `src/*.py` exists",
    "File `src/auth.py:12` exists",
    "File `/etc/passwd` contains `root`",
    "File `a.py` contains",
    "File `a.py` contains ``",
    "File `a.py` contains `x` or `y`",
    "POST /api/login returns a token",
    "POST /api/login returns 200 with a token",
    "post /api/login returns 200",
    "FETCH /api/login returns 200",
    "agent-browser:",
    `Run \`${"x".repeat(3000)}\` - exits with code 0`,
  ])("%s", (text) => expect(parseCriterion(text)).toEqual(judged));
});

const plainText = (maxLength: number) =>
  fc
    .string({ unit: "grapheme", minLength: 1, maxLength })
    .map((text) => text.replace(/\p{Cc}/gu, "").trim())
    .filter((text) => text !== "");
const path = fc
  .array(
    fc.stringMatching(/^[\w`[\]{}@+ -]{1,12}$/).map((part) => `p${part}q`),
    {
      minLength: 1,
      maxLength: 5,
    },
  )
  .map((parts) => parts.join("/"));

/** A code span around any text, as CommonMark writes it. */
function span(text: string): string {
  const runs = text.match(/`+/g) ?? [];
  const fence = "`".repeat(1 + Math.max(0, ...runs.map((run) => run.length)));
  return /^`|`$/.test(text) ? `${fence} ${text} ${fence}` : `${fence}${text}${fence}`;
}

test("what is written in a form is read back", () => {
  fc.assert(
    fc.property(plainText(200), path, plainText(200), (text, file, wanted) => {
      expect(parseCriterion(`Run ${span(text)} - exits with code 0`)).toEqual(command(text));
      expect(parseCriterion(`File ${span(file)} exists`)).toEqual(exists(file));
      const both = `File ${span(file)} contains ${span(wanted)}`;
      expect(parseCriterion(both)).toEqual(contains(file, wanted));
    }),
  );
});

test("any text is read without an error, and a file is always inside the project", () => {
  const piece = fc.constantFrom(
    "Run ",
    "File ",
    " exists",
    "`",
    "``",
    "..",
    "/",
    "\\`",
    " - exits 0",
  );
  const any = fc.array(fc.oneof(piece, fc.string({ unit: "binary" })), { maxLength: 12 });
  fc.assert(
    fc.property(any, (pieces) => {
      const criterion = parseCriterion(pieces.join(""));
      if (!("path" in criterion)) return;
      expect(new URL(encodeURI(criterion.path), "file:///p/").pathname).toMatch(/^\/p\/./);
    }),
  );
});

test.each(["`", "` ", "Run `", "``` `` ", "- ", ". ", "Run `x` - "])(
  "hostile repetition of %j is read in linear time",
  (unit) => {
    const read = (size: number) => parseCriterion(unit.repeat(size / unit.length));
    expect(growthOf(read, 60_000)).toBeLessThan(linear);
  },
);
