import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { constants } from "node:fs";
import { constants as system } from "node:os";
import { safely } from "../fs/location.ts";
import { hold } from "../process/start-shell.ts";

/** A small helper program that takes flock(2) locks and holds them until it is asked to release them, or ralph ends. */
export interface LockProgram {
  /** Answers one request at a time; undefined once the program is lost, which then holds nothing. */
  ask: (request: LockRequest) => Promise<LockAnswer | undefined>;
}

export type LockRequest = { waitMs: number; paths: readonly string[] } | "free";
/** `index` is that of the path that something else holds, or that cannot be locked here. */
export type LockAnswer = { kind: "taken" | "freed" } | { kind: "held" | "failed"; index: number };

/**
 * Between two attempts it checks whether ralph still lives, so that no lock is held for a dead process (F13). A lock counts
 * only while the path still names the locked file: some programs remove theirs.
 */
const source = `
use strict;
my ($flags, $busy) = @ARGV;
my @held;
$| = 1;
while (defined(my $line = <STDIN>)) {
  chomp $line;
  my ($wait, @paths) = split / /, $line;
  @held = ();
  print $wait eq "free" ? "freed" : take($wait, map { pack "H*", $_ } @paths), "\\n";
}
sub take {
  my ($left, @paths) = @_;
  for my $index (0 .. $#paths) {
    my $pause = 0.5;
    while (1) {
      my $answer = attempt($paths[$index]);
      last if $answer eq "taken";
      if ($answer eq "failed" || $left <= 0) { @held = (); return "$answer $index" }
      my $ready = ""; vec($ready, 0, 1) = 1;
      exit if select($ready, undef, undef, $pause / 1000);
      $left -= $pause;
      $pause *= 1.5 if $pause < 4;
    }
  }
  return "taken";
}
sub attempt {
  my ($path) = @_;
  sysopen(my $file, $path, $flags, 0644) or return "failed";
  flock($file, 6) or return $! == $busy ? "held" : "failed";
  my @ours = stat $file; my @named = lstat $path;
  return "held" unless @named && $ours[0] == $named[0] && $ours[1] == $named[1];
  push @held, $file;
  return "taken";
}
`;

/** For a lock file. */
export const lockFlags = constants.O_RDWR | constants.O_CREAT | safely;

/** It keeps no process alive, and ends when its input does, with ralph. Starting takes about 3 ms, a request 0.1 ms. */
export function startLockProgram(): LockProgram {
  const args = ["-e", source, String(lockFlags), String(system.errno.EWOULDBLOCK)];
  const env = { PATH: process.env.PATH };
  const child = spawn("perl", args, { cwd: "/", env, detached: true, stdio: "pipe" });
  let settle: ((answer: LockAnswer | undefined) => void) | undefined;
  let isLost = false;
  const lose = () => {
    isLost = true;
    settle?.(undefined);
  };
  for (const emitter of [child, child.stdin]) emitter.on("error", lose);
  child.stdout.once("close", lose);
  child.stdout.on("data", (chunk: Buffer) => settle?.(parseAnswer(chunk.toString())));
  child.stderr.resume();
  hold(child, "unref");
  return {
    ask: async (request) => {
      if (isLost) return undefined;
      const { promise, resolve } = Promise.withResolvers<LockAnswer | undefined>();
      settle = resolve;
      return await holding(child, () => {
        child.stdin.write(`${render(request)}\n`);
        return promise;
      });
    },
  };
}

async function holding<Result>(child: ChildProcessWithoutNullStreams, act: () => Promise<Result>) {
  hold(child, "ref");
  try {
    return await act();
  } finally {
    hold(child, "unref");
  }
}

const render = (request: LockRequest) =>
  request === "free"
    ? request
    : [request.waitMs, ...request.paths.map((path) => Buffer.from(path).toString("hex"))].join(" ");

/** A line is shorter than a pipe's atomic write. */
function parseAnswer(line: string): LockAnswer | undefined {
  const [, kind, index] = /^(taken|freed|held|failed)(?: (\d+))?\n$/.exec(line) ?? [];
  if (kind === "taken" || kind === "freed") return { kind };
  return kind === "held" || kind === "failed" ? { kind, index: Number(index) } : undefined;
}
