import { type RobotOutput, readRobotOutput, readXunit } from "../core/verify/robot-output.ts";
import { RalphError } from "../error.ts";
import { describeEnd, runShell, type ShellDeps } from "../gates/run-shell.ts";
import type { Files, System } from "../platform/system.ts";

/** Which program runs the suite: its words before the arguments. */
export type RobotProgram = readonly string[];

type Finder = Pick<System, "ask" | "env">;

const look = `if [ -x .venv/bin/robot ]; then echo .venv/bin/robot
elif [ -f uv.lock ] && command -v uv >/dev/null; then echo uv run robot
elif command -v robot >/dev/null; then echo robot
elif python3 -c "import robot" 2>/dev/null; then echo python3 -m robot
else exit 1
fi`;

/** The project's own Robot Framework: a virtual environment, uv, PATH, then a module of python3; undefined without one. */
export async function findRobot(
  { ask, env }: Finder,
  root: string,
): Promise<RobotProgram | undefined> {
  const place = { cwd: root, env: { PATH: env.PATH, HOME: env.HOME } };
  const { exitCode, stdout } = await ask({ file: "sh", args: ["-c", look], ...place });
  return exitCode === 0 ? stdout.toString().trim().split(" ") : undefined;
}

export async function requireRobot(system: Finder, root: string): Promise<RobotProgram> {
  const found = await findRobot(system, root);
  if (found) return found;
  throw new RalphError("config", {
    message: "ui.robot is enabled, and this machine has no Robot Framework.",
    remedy: "Install it (`pip install robotframework`), or add it to the project's .venv.",
  });
}

export interface RobotRun {
  program: RobotProgram;
  suite: string;
  variables: Readonly<Record<string, string>>;
  baseUrl: string;
}

export type RobotResult =
  | { kind: "ran"; output: RobotOutput; log: string; bytes: number }
  /** It ended without results that can be read. */
  | { kind: "broken"; detail: string; log: string; bytes: number };

const timeoutMs = 600_000;
const xunitFile = "xunit.xml";
const maxOutput = 20 * 1024 * 1024;

/**
 * Runs a suite in the sandbox and reads its output.xml. `folder` is below the place's root; the caller reads the files in
 * it and removes it. Variables are arguments of the program and pass through no shell.
 */
export async function runRobot(
  deps: ShellDeps,
  run: RobotRun,
  folder: { path: string; files: Files },
): Promise<RobotResult> {
  const given = { BASE_URL: run.baseUrl, BROWSER: "chromium", HEADLESS: "true", ...run.variables };
  const words = [
    ...run.program,
    ...["--outputdir", folder.path, "--output", "output.xml", "--log", "log.html"],
    ...["--report", "report.html", "--xunit", xunitFile, "--consolecolors", "off"],
    ...Object.entries(given).flatMap(([name, value]) => ["--variable", `${name}:${value}`]),
    run.suite,
  ];
  const {
    end,
    output,
    outputBytes: bytes,
  } = await runShell(deps, {
    cmd: `exec ${words.map(quoted).join(" ")}`,
    timeoutMs,
  });
  const log = { log: output, bytes };
  const failed = (why: string) =>
    ({ kind: "broken", detail: `${why}\n${tailOf(output)}`.trim(), ...log }) as const;
  if (end.kind !== "exited" || end.code > 250)
    return failed(describeRobotEnd(describeEnd(end, timeoutMs)));
  const read = await readResults(folder.files);
  if (!read) return failed("its output.xml cannot be read");
  if (read.tests.length === 0) return failed("it ran no test");
  return { kind: "ran", output: read, ...log };
}

const describeRobotEnd = (end: string) =>
  end === "exit code 252" ? "the suite cannot be read (exit code 252)" : end;

/** The output of a suite with many keywords may be too large to read; then the short form has its tests. */
async function readResults(files: Files): Promise<RobotOutput | undefined> {
  const xml = await readText(files, "output.xml");
  const read = xml === undefined ? undefined : readRobotOutput(xml);
  if (read) return read;
  const short = await readText(files, xunitFile);
  return short === undefined ? undefined : readXunit(short);
}

/** Undefined when it is absent, too large, or no regular file. */
async function readText(files: Files, name: string): Promise<string | undefined> {
  try {
    return (await files.read(name, { maxBytes: maxOutput }))?.toString("utf8");
  } catch {
    return undefined;
  }
}

const tailOf = (output: string) => output.trim().split("\n").slice(-12).join("\n");

const quoted = (word: string) => `'${word.replaceAll("'", "'\\''")}'`;
