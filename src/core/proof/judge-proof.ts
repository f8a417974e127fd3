import type { ProofFigures, ProofFinding } from "../state/proof-event.ts";
import { checkCensus } from "./judge-census.ts";
import { checkOriginals, flakyFinding, list } from "./judge-originals.ts";
import { checkWork } from "./judge-red-first.ts";
import { checkReplaced } from "./judge-replaced.ts";
import { checkAsFound, checkSettings } from "./judge-settings.ts";
import { isPlantedProgram } from "./planted-files.ts";
import { countingGates, type ProofQuestion } from "./question.ts";
import type { Answer, ProofVerdict } from "./verdict.ts";

type Check = (question: ProofQuestion) => Answer;

/** In the order of their price; the plan computes the trees that the later ones need. */
const beforeReview: readonly Check[] = [
  checkCensus,
  needsPlan,
  checkOriginals,
  checkAsFound,
  checkSettings,
];
const shown: readonly Check[] = [needsCounts, showMutation, showPlanted, showFlaky, showFlags];

/** The next need of the proof, cheapest check first, or its result (design 4b). `review`: only what the reviewer has to know. */
export function judgeProof(question: ProofQuestion, upTo: "review" | "end" = "end"): ProofVerdict {
  const checks = [...beforeReview, ...(upTo === "end" ? [checkReplaced, checkWork] : []), ...shown];
  const findings: ProofFinding[] = [];
  let figures: ProofFigures = {
    originals: "not applicable",
    red_first: "not applicable",
    witnessed: 0,
    tried: 0,
  };
  let noticed = { witnessed: 0, tried: 0 };
  for (const check of checks) {
    const answer = check(question);
    if ("halt" in answer) return answer.halt;
    findings.push(...answer.findings);
    const { witnessed = 0, tried = 0 } = answer.figures ?? {};
    noticed = { witnessed: noticed.witnessed + witnessed, tried: noticed.tried + tried };
    figures = { ...figures, ...answer.figures, ...noticed };
  }
  return { kind: "judged", findings, figures };
}

function needsPlan({ proof }: ProofQuestion): Answer {
  return proof.plan ? { findings: [] } : { halt: { kind: "plan" } };
}

function needsCounts(question: ProofQuestion): Answer {
  const { gates } = question;
  const isSkipped = gates.length > 0 && gates.every(({ after }) => after.status === "skipped");
  if (isSkipped) return { findings: [skippedAll] };
  const hasCounts = question.gates.length === 0 || countingGates(question).length > 0;
  return { findings: hasCounts ? [] : [uncounted] };
}

/** The tools' mutants count like the changes that were taken back; those in the task's own code that survive are named. */
function showMutation({ mutation = [], proof }: ProofQuestion): Answer {
  const product = new Set(proof.plan?.product);
  const own = mutation
    .flatMap(({ survivors }) => survivors)
    .filter(({ path }) => product.has(path))
    .map(({ path, line }) => `${path}:${line}`);
  const sum = (key: "noticed" | "tried") =>
    mutation.reduce((total, score) => total + score[key], 0);
  const figures = { witnessed: sum("noticed"), tried: sum("tried") };
  if (own.length === 0) return { findings: [], figures };
  const message = `The project's mutation testing changed these lines, and no test failed: ${list([...new Set(own)])}`;
  return { findings: [{ kind: "note", check: "witness", message, paths: [] }], figures };
}

/** Code of the work runs with the gates, so it can change what runs after it. */
function showPlanted({ gates, proof }: ProofQuestion): Answer {
  const runs = [...gates.map(({ after }) => after), ...Object.values(proof.results).flat()];
  const paths = [...new Set(runs.flatMap(({ planted = [] }) => planted))];
  if (paths.length === 0) return { findings: [] };
  const programs = paths.filter(isPlantedProgram);
  const shown = list(programs.length > 0 ? programs : paths);
  const message =
    programs.length > 0
      ? `Programs that gates find before the machine's own changed while gates ran, and were removed: ${shown}`
      : `Installed packages changed while gates ran: ${shown}`;
  const kind = programs.length > 0 ? "finding" : "note";
  return { findings: [{ kind, check: "controls", message, paths: [] }] };
}

function showFlaky({ gates }: ProofQuestion): Answer {
  return { findings: gates.filter(({ isFlaky }) => isFlaky).map(({ gate }) => flakyFinding(gate)) };
}

/** Changes that can weaken a check in ways no run shows are for people to look at. */
function showFlags({ proof }: ProofQuestion): Answer {
  const flagged = Map.groupBy(proof.plan?.flagged ?? [], ({ because }) => because);
  const findings = [...flagged].map(([because, entries]) => ({
    kind: because in messages ? ("finding" as const) : ("note" as const),
    check: "flags" as const,
    message: messages[because] ?? `Changed (${because.replaceAll("-", " ")})`,
    paths: entries.map(({ path }) => path),
  }));
  return { findings };
}

/** What people should look at in such a line or file. */
export const suspicious = {
  "asks-whether-it-is-tested":
    "This code asks whether it is being tested, so tests cannot tell what it does for people",
  "settings-of-criteria": "Settings changed that the commands of this task's criteria may read",
  "reads-tests": "This code reads files of the tests, so it can know what they expect",
  "changes-how-tests-run": "This code changes how tests run or what they assert",
  "waits-for-a-date": "This code does something else from a date on, which no test of today sees",
  "decides-how-tests-end": "These tests change how a test run ends, or what is asserted in it",
  "reads-code":
    "These tests read the text of code, so they may judge how it is written and not what it does",
  "tries-again":
    "These tests run again when they fail, so they hold on code that is wrong now and then",
  "replaces-a-package": "Code of the repository is used in place of a package",
} as const;

const messages: Readonly<Record<string, string>> = suspicious;

const skippedAll: ProofFinding = {
  kind: "finding",
  check: "census",
  message: "No gate that can fail this work ran on it: the condition of every one is unmet.",
  paths: [],
};

const uncounted: ProofFinding = {
  kind: "note",
  check: "census",
  message:
    "No gate reports how many tests it ran, so nothing shows that tests depend on this work.",
  paths: [],
};
