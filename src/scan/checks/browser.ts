import { hasServices } from "../../core/verify/verify-plan.ts";
import type { Config } from "../../schema/config/config.ts";
import { findChromium } from "../../ui/find-chromium.ts";
import { findRobot } from "../../ui/robot.ts";
import { findScriptProblem } from "../../ui/script-program.ts";
import {
  type Check,
  type CheckResult,
  combineResults,
  failure,
  pass,
  warningResult,
} from "../check.ts";
import type { ScanContext } from "../scan-context.ts";

/** Checks that the programs of browser tests and browser criteria exist. */
export const browser: Check = {
  name: "browser",
  needs: ["config"],
  run: async (context) => {
    const { config } = await context.config();
    const { enabled, script, tests } = config.ui.agent_browser;
    const results = [
      ...(hasServices(config) || tests.length > 0 ? [await checkChromium(context, config)] : []),
      ...(enabled && script !== undefined ? [await checkScript(context, script)] : []),
    ];
    return results.length === 0 ? pass("no browser tests are configured") : combineResults(results);
  },
};

async function checkChromium({ system }: ScanContext, { ui }: Config): Promise<CheckResult> {
  const found = await findChromium(system);
  if (found !== undefined) return pass(found, { path: found });
  const more = {
    remedy: "Install Chromium or Chrome, or set CHROME_PATH.",
    fixes: [{ install: "chromium" }],
  };
  return ui.agent_browser.enabled && ui.agent_browser.tests.length > 0
    ? failure("no Chromium, which the tests of ui.agent_browser need", more)
    : warningResult(
        "no Chromium: reviewers judge browser criteria, and there are no pictures",
        more,
      );
}

async function checkScript({ system, root }: ScanContext, script: string): Promise<CheckResult> {
  const problem = await findScriptProblem(system, root, script);
  if (problem === undefined) return pass(script);
  return problem === "no-script"
    ? failure(`no ${script}, which ui.agent_browser.script names`, {
        remedy: "Add it, or correct the path.",
      })
    : failure(`no agent-browser, which ${script} calls`, {
        remedy: "Install it: `npm install --global agent-browser`.",
      });
}

/** Checks that Robot Framework and its suite exist where its tests are enabled. */
export const robot: Check = {
  name: "robot",
  needs: ["config"],
  run: async (context) => {
    const { enabled, suite } = (await context.config()).config.ui.robot;
    if (!enabled) return pass("no Robot Framework tests are enabled");
    if (suite === undefined) {
      return failure("ui.robot is enabled, and ui.robot.suite is not set", {
        remedy: "Name the suite's folder or file in ui.robot.suite.",
      });
    }
    if (!(await context.system.files(context.root).stat(suite))) {
      return failure(`${suite} does not exist`, { remedy: "Correct ui.robot.suite." });
    }
    const program = await findRobot(context.system, context.root);
    if (program) return pass(program.join(" "));
    return failure("no Robot Framework", {
      remedy: "Install it (`pip install robotframework`), or add it to the project's .venv.",
    });
  },
};
