/** A key that is read and checked, and has no effect of its own yet. `says` continues its path in the warning. */
export type LaterKey = { key: string; says?: string };

/** Every key of ralph.yml without an effect; each use causes a warning. A test compares the other keys with the schema. */
export const laterKeys: readonly LaterKey[] = [
  {
    key: "agents.ui_testing",
    says: "is not called: an agent does not write the tests that judge its work",
  },
  {
    key: "ui.browser_use.enabled",
    says: "starts nothing by itself: base_url, timeout and screenshot_on_failure hold for the tests of ui.agent_browser",
  },
  {
    key: "ui.robot.auto_generate",
    says: "is left out: an agent does not write the tests that judge its work",
  },
  {
    key: "autopilot.research",
    says: "is left out: the analysis reads the report and the repository, and nothing else",
  },
  {
    key: "skills",
    says: "is left out: agents are given no skills; AGENTS.md is the place for what they must know",
  },
];

/** The same for the fields of a task. */
export const laterTaskKeys = [
  {
    key: "skill",
    says: "has no effect: agents are given no skills; write what they must know into the description",
  },
] as const;
