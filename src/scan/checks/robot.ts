import { findRobot } from "../../ui/robot.ts";
import { type Check, failure, pass } from "../check.ts";

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
