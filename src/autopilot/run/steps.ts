import { RalphError } from "../../error.ts";
import type { AutopilotRun } from "./autopilot-run.ts";
import { commitDocument, commitList, type Stop } from "./planned-commits.ts";
import {
  chooseItem,
  type PlanningContext,
  startBranch,
  writeList,
  writeRequirements,
} from "./planning-steps.ts";
import type { AutopilotOutcome } from "./run-request.ts";
import type { RunStore } from "./run-store.ts";

type Step = {
  isDue: (run: AutopilotRun) => boolean;
  take: (work: PlanningContext) => Promise<Stop | undefined>;
};

/** `ready`: the task list is committed, and the loop can begin. */
export type PreparedRun =
  | { kind: "ready"; runStore: RunStore }
  | Exclude<AutopilotOutcome, { kind: "ended" }>;

/** A step after which the next one always follows. */
const then =
  (act: (work: PlanningContext) => Promise<void>) =>
  async (work: PlanningContext): Promise<undefined> => {
    await act(work);
    return undefined;
  };

/** In their order; each is due while what it makes is missing. */
const steps: readonly Step[] = [
  { isDue: ({ analyzed }) => !analyzed, take: then(chooseItem) },
  { isDue: ({ branch }) => branch === undefined, take: then(startBranch) },
  { isDue: (run) => hasDocument(run) && !run.document, take: then(writeRequirements) },
  { isDue: (run) => hasDocument(run) && !run.document_commit?.commit, take: commitDocument },
  { isDue: (run) => isToBeRead(run), take: askReader },
  { isDue: ({ list }) => list === undefined, take: then(writeList) },
  { isDue: ({ list_commit }) => !list_commit?.commit, take: commitList },
];

const hasDocument = ({ wishes }: AutopilotRun) => wishes.document === "with";

const isToBeRead = (run: AutopilotRun) =>
  hasDocument(run) && run.wishes.mode === "interactive" && !run.approved;

/** Takes what is due. After an error the record says why, and the state where to go on. */
export async function takeSteps(work: PlanningContext): Promise<PreparedRun> {
  const { runStore, deps } = work;
  try {
    for (const { isDue, take } of steps) {
      if (deps.cancel.aborted) throw cancelled();
      const stop = isDue(runStore.state()) ? await take(work) : undefined;
      if (stop) return { kind: "stopped", run: runStore.state(), ...stop };
    }
    return { kind: "ready", runStore };
  } catch (error) {
    await runStore.end({ error, asked: work.modelContext.spendTracker.asked() });
    deps.log(
      `Run ${runStore.state().run_id} stopped; \`ralph autopilot --resume\` goes on with it.`,
    );
    throw error;
  }
}

/** Somebody at a terminal is asked; elsewhere the branch waits with the document. */
async function askReader({ deps, runStore }: PlanningContext): Promise<Stop | undefined> {
  const { document, branch } = runStore.state();
  const isApproved = deps.approve && document && (await answerOf(deps.approve(document), deps));
  if (isApproved) {
    await runStore.advance({ approved: true }, "planning");
    return undefined;
  }
  return {
    why: `${document?.path} is committed on ${branch} for you to read.`,
    next: "Change and commit it as you like, then go on with `ralph autopilot --resume`. `ralph publish` opens a draft pull request with the document alone.",
  };
}

/** Ctrl-C at the question is no answer. */
async function answerOf(
  answer: Promise<boolean>,
  { cancel }: PlanningContext["deps"],
): Promise<boolean> {
  try {
    return await answer;
  } catch (error) {
    throw cancel.aborted ? cancelled() : error;
  }
}

const cancelled = () =>
  new RalphError("cancelled", {
    message: "The run was cancelled.",
    remedy: "Go on with `ralph autopilot --resume`.",
  });
