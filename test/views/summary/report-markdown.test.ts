import { expect, test } from "vitest";
import { renderReport } from "../../../src/views/summary/report-markdown.ts";
import { reportedRun } from "../pull-request/reported-run.ts";

test("the report shows outcome, tasks, proofs, failures and the next step", () => {
  expect(renderReport(reportedRun)).toMatchInlineSnapshot(`
    "# Session 20260125-143052-a7b3c9: blocked

    **blocked**: Blocked: T-003.

    |  |  |
    | --- | --- |
    | Tasks passed | 2 of 4 |
    | Iterations | 1 |
    | Time | 12.0 s |
    | Cost | $0.50 |
    | Branch | \`ralph/example\` at \`c2c2c2c2c2c2\` |

    ## Tasks

    | Task | Title | State | Iterations | Time | Cost | Commit |
    | --- | --- | --- | --- | --- | --- | --- |
    | T-001 | Title of T-001 | passed before | 0 | - | - | - |
    | T-002 | Add login \\| logout | passed | 1 | 6.0 s | - | \`c2c2c2c2c2c2\` |
    | T-003 | Title of T-003 | blocked | 0 | 2.0 s | $0.50 | - |
    | T-004 | Title of T-004 | pending | 0 | - | - | - |

    ## Agents

    | Role | Calls | Turns | Tokens | Cost |
    | --- | --- | --- | --- | --- |
    | implementation | 2 | - | - | $0.50 |
    | test writing | 1 | - | - | unknown |
    | review | 1 | - | - | unknown |

    ## T-002: Add login | logout

    Result: passed, criteria proved 0/1, 1 approved by the reviewer.

    |  | Criterion | Verdict | Proof |
    | --- | --- | --- | --- |
    | 1 | It works | approved by the reviewer |  |

    | Gate | Result | On the start commit | New failures | Time |
    | --- | --- | --- | --- | --- |
    | \`test\` | passed | - | - | 10 ms |

    ## T-003: Title of T-003

    Result: blocked, no criterion checked.

    |  | Criterion | Verdict | Proof |
    | --- | --- | --- | --- |
    | 1 | It works | not checked |  |

    No gate ran.

    ## What stopped

    - T-003 (blocked): No change in 3 iterations. Last failure: ask \`@octo\` about fixes \`#3\` (its work is kept as tree \`f1f1f1f1f1f1f1f1f1f1f1f1f1f1f1f1f1f1f1f1\`)

    ## Next

    Remove the reason the task is blocked, then run \`ralph run --resume\`.
    "
  `);
});
