import * as z from "zod";
import type { BaseProof, HeadProof } from "../../core/checks/prove.ts";
import { nameOfPart, type ProvedProgram, programLevels } from "../../core/checks/proved-program.ts";
import { gateStatuses } from "../../core/state/measurement.ts";
import { RalphError } from "../../error.ts";
import { parseJsonAs } from "../../schema/base/parse-json-as.ts";

/** Limit for passing a proof between jobs; beyond it single results are left out, never the verdict. */
const maxLength = 24 * 1024;
const maxPaths = 20;

/** The file for publishers that cannot read job outputs, alone in an artifact `ralph-proof-RUN-ATTEMPT`. */
export const proofFile = "proof.json";

const Text = z.string().max(500);
const Task = z.string().max(60);
/** The program as it ran: how far it was looked at, its red parts, and what the machine lacked. */
const Program = z.object({
  level: z.enum(programLevels),
  red: z.array(Text).max(maxPaths),
  missing: z.array(Text).max(maxPaths),
});
const Base = z.object({
  kind: z.enum(["current", "green", "red", "conflict", "unknown"]),
  branch: Text,
  commit: z.string().max(64),
  conflicts: z.array(z.string().max(4096)).max(maxPaths),
  /** Checks that fail on the merge. */
  red: z.array(Text).max(maxPaths),
});

/** The clean room's result, passed from its job to the publisher by an output, never in a bundle. */
export const HandedProof = z.object({
  kind: z.enum(["proved", "refuted"]),
  head: z.string().max(64),
  /** `seq:hash` of the last line of the journal that was proved. */
  journal: z.string().max(200),
  gates: z.array(z.object({ name: Text, status: z.enum(gateStatuses), ok: z.boolean() })),
  criteria: z.array(z.object({ task: Task, index: z.int().positive(), ok: z.boolean() })),
  program: Program.optional(),
  problems: z.array(Text).max(maxPaths),
  /** The parts of a task's work that people should look at. */
  findings: z
    .array(z.object({ task: Task, message: Text }))
    .max(maxPaths)
    .optional(),
  base: Base.optional(),
});
export type HandedProof = z.infer<typeof HandedProof>;

/** A proof on one line, for an output. Pure. */
export function renderHandedProof(proof: HeadProof): string {
  const whole = handed(proof);
  const variants = [whole, { ...whole, criteria: [] }, { ...whole, criteria: [], gates: [] }];
  const texts = variants.map((each) => JSON.stringify(each));
  return texts.find((text) => text.length <= maxLength) ?? JSON.stringify(shortest(whole));
}

/** Escaped characters may take six bytes. Something is left of each reason to keep the pull request a draft. */
const shortest = ({ findings, base: _, program, ...proof }: HandedProof): HandedProof => ({
  ...proof,
  ...{ gates: [], criteria: [], problems: few(proof.problems) },
  ...(program && {
    program: { ...program, red: few(program.red), missing: few(program.missing) },
  }),
  ...(findings && {
    findings: findings.slice(0, 3).map(({ task, message }) => ({ task, message: cut(message) })),
  }),
});

const few = (texts: readonly string[]) => texts.slice(0, 3).map(cut);
const cut = (text: string) => text.slice(0, 200);

/** Undefined when it is absent or invalid. */
export function parseHandedProof(text: string | undefined): HandedProof | undefined {
  return text && text.length <= maxLength ? parseJsonAs(HandedProof, text) : undefined;
}

/** Parses a proof that must be there; an unreadable one is an error, never a success. */
export function requireHandedProof(text: string, where: string): HandedProof {
  const proof = parseHandedProof(text);
  if (proof) return proof;
  throw new RalphError("source", {
    message: `${where} is not a readable result of the clean room. Nothing was published.`,
    remedy:
      "Pass on the output `proof` of the proving job complete and unchanged, then start the workflow again.",
  });
}

function handed(proof: HeadProof): HandedProof {
  const { kind, head, journal, gates, criteria, program, problems, base } = proof;
  const findings = findingsOf(proof);
  return {
    ...{ kind, head, journal },
    gates: gates.map(({ name, status, ok }) => ({ name: short(name), status, ok })),
    criteria: criteria.map(({ task, index, ok }) => ({ task, index, ok })),
    ...(program && { program: handedProgram(program) }),
    problems: problems.slice(0, maxPaths).map(short),
    ...(findings.length > 0 && { findings: findings.slice(0, maxPaths) }),
    ...(base && { base: handedBase(base) }),
  };
}

const findingsOf = ({ work = [] }: HeadProof) =>
  work.flatMap(({ task, findings }) =>
    findings.flatMap(({ kind, message }) =>
      kind === "finding" ? { task, message: short(message) } : [],
    ),
  );

const handedProgram = ({ level, parts, missing }: ProvedProgram) => ({
  level,
  red: redParts(parts).slice(0, maxPaths).map(short),
  missing: missing.slice(0, maxPaths).map(short),
});

const redParts = (parts: ProvedProgram["parts"]) => parts.filter(({ ok }) => !ok).map(nameOfPart);

function handedBase(base: BaseProof) {
  const { kind, branch, commit, conflicts, setup, gates, criteria, program } = base;
  const red = [
    ...setup.filter(({ ok }) => !ok).map(({ name }) => `setup step ${name}`),
    ...gates.filter(({ ok }) => !ok).map(({ name }) => `gate ${name}`),
    ...criteria.filter(({ ok }) => !ok).map(({ task, index }) => `${task} criterion ${index}`),
    ...redParts(program?.parts ?? []),
  ];
  return {
    kind,
    branch: short(branch),
    commit,
    conflicts: conflicts.slice(0, maxPaths),
    red: red.slice(0, maxPaths).map(short),
  };
}

const short = (text: string) => text.slice(0, 500);
