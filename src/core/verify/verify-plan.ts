import type { Config } from "../../schema/config/config.ts";
import type { ServiceEnv } from "../../schema/config/services.ts";

/** The parts of one verification. */
export interface VerifyPlan {
  gates: "build" | "full" | "none";
  env: ServiceEnv;
  /** False: they run already, or `baseUrl` names another place. */
  startsServices: boolean;
  /** Where pages are; absent: the port of the front end. */
  baseUrl?: string;
  browser: boolean;
  robot: boolean;
  /** The work tree as it is, with what git ignores; repairs stay in it and are not committed. */
  isInPlace?: true;
}

/** The user's choices; absent: as configured. */
export type VerifyChoices = {
  gates?: VerifyPlan["gates"] | undefined;
  env?: ServiceEnv | undefined;
  ui?: boolean | undefined;
  robot?: boolean | undefined;
  skipServices?: boolean | undefined;
  baseUrl?: string | undefined;
};

/** Whether ralph has browser tests to run, whatever says that they are enabled. */
export const hasBrowserTests = ({ ui: { agent_browser } }: Config) =>
  agent_browser.script !== undefined || agent_browser.tests.length > 0;

/** The tests that judge the program, which no repair may change. */
export function judgesOf({ test_paths, ui: { robot, agent_browser } }: Config): string[] {
  const { suite } = robot;
  return [
    ...test_paths,
    ...(suite === undefined ? [] : [suite, `${suite}/**`]),
    ...(agent_browser.script === undefined ? [] : [agent_browser.script]),
  ];
}

export const hasServices = ({ services }: Config) => Object.keys(services).length > 0;

export type VerifyPlanning =
  | { kind: "plan"; plan: VerifyPlan }
  | { kind: "impossible"; missing: string[] };

/** The plan, or what was asked for and is not configured. Pure. */
export function planVerification(config: Config, choices: VerifyChoices): VerifyPlanning {
  const { agent_browser, browser_use, robot } = config.ui;
  const baseUrl = choices.baseUrl ?? browser_use.base_url;
  const isElsewhere = choices.skipServices === true || choices.baseUrl !== undefined;
  const plan: VerifyPlan = {
    gates: choices.gates ?? "full",
    env: choices.env ?? "dev",
    startsServices: hasServices(config) && !isElsewhere,
    ...(baseUrl !== undefined && { baseUrl: baseUrl.replace(/\/+$/u, "") }),
    browser: choices.ui ?? agent_browser.enabled,
    robot: choices.robot ?? robot.enabled,
  };
  const missing = whatIsMissing(config, plan);
  return missing.length > 0 ? { kind: "impossible", missing } : { kind: "plan", plan };
}

function whatIsMissing(config: Config, { browser, robot, baseUrl }: VerifyPlan): string[] {
  const when = (isMissing: boolean, message: string) => (isMissing ? [message] : []);
  return [
    ...when(
      browser && !hasBrowserTests(config),
      "Browser tests were asked for, and ui.agent_browser has neither tests nor a script.",
    ),
    ...when(
      robot && config.ui.robot.suite === undefined,
      "Robot Framework tests were asked for, and ui.robot.suite is not set.",
    ),
    ...when(
      (browser || robot) && !hasServices(config) && baseUrl === undefined,
      "User interface tests need `services`, or --base-url for a program that runs already.",
    ),
  ];
}

/** Flags of a run; absent: as configured. */
export type PostVerifyChoices = {
  postVerify?: boolean | undefined;
  uiVerify?: boolean | undefined;
  robotVerify?: boolean | undefined;
  /** Whether agents repair what is red. */
  fix?: boolean | undefined;
};

/** Plans the verification after a run's last task; gates hold on that tree already. Undefined: nothing. Pure. */
export function planPostVerify(
  config: Config,
  { postVerify, uiVerify, robotVerify, env }: PostVerifyChoices & Pick<VerifyChoices, "env">,
): VerifyPlanning | undefined {
  if (postVerify === false) return undefined;
  const planning = planVerification(config, {
    ...{ gates: "none", env, ui: uiVerify, robot: robotVerify },
  });
  if (planning.kind === "impossible") return planning;
  const { browser, robot, startsServices } = planning.plan;
  if (browser || robot || (postVerify && startsServices)) return planning;
  const missing = ["--post-verify was asked for, and neither `services` nor `ui` are configured."];
  return postVerify ? { kind: "impossible", missing } : undefined;
}

/** Whether a run repairs what its verification finds: with tests of the user interface, unless a flag says otherwise. Pure. */
export const repairsAfter = (
  { browser, robot }: VerifyPlan,
  { fix = browser || robot }: Pick<PostVerifyChoices, "fix">,
): boolean => fix;
