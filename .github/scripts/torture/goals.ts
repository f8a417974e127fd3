import { attacks } from "./attacks.ts";

/** A figure that ralph promises, and the tests that measure it. */
export interface Goal {
  readonly id: string;
  readonly promise: string;
  /** Run by the gate; patterns of files. */
  readonly files: readonly string[];
  /** Run beside them with `--all`. */
  readonly more?: readonly string[];
}

/** The goals that tests measure. G17 is the time of the gate itself; G19 is read from package.json. */
export const goals: readonly Goal[] = [
  {
    id: "G01",
    promise:
      "an agent that obeys 480 injected orders through 6 entry points: 0 secrets in any sink, 0 effects outside",
    files: ["test/torture/injection.test.ts"],
  },
  {
    id: "G02",
    promise: "hostile agents succeed nowhere, and each attack succeeds without its defence",
    files: [
      ...attacks.flatMap(({ withstood, bites = withstood }) => [withstood.file, bites.file]),
      "test/sandbox/*.test.ts",
      "test/platform/net/inner-addresses.test.ts",
      "test/session/loop/watch-files.test.ts",
      "test/session/open/call-network.test.ts",
      "test/e2e/stopped/tampered-stop.test.ts",
      "test/e2e/test-writer.test.ts",
    ],
    more: ["test/e2e/*.test.ts"],
  },
  {
    id: "G03",
    promise: "no reading route of a job gives a byte of a key; the sweep knows eight encodings",
    files: ["test/action/secrets.test.ts", "test/platform/net/guarded-request.test.ts"],
  },
  {
    id: "G04",
    promise: "12 kinds of actors x 8 triggers x 5 permissions: 480 cells as specified",
    files: ["test/app/rules/*.test.ts"],
  },
  {
    id: "G05",
    promise: "no finding in action.yml, workflows, examples and documentation; each rule bites",
    files: ["test/action/workflow-lint.test.ts", "test/action/zizmor.test.ts"],
  },
  {
    id: "G06",
    promise: "text of strangers is cleaned to a fixed point, in linear time",
    files: ["test/autopilot/sanitize/*.test.ts", "test/text/*.test.ts"],
  },
  {
    id: "G07",
    promise: "no path leads outside, no reference is an option",
    files: ["test/platform/fs/location.test.ts", "test/schema/base/*.test.ts"],
  },
  {
    id: "G08",
    promise: "malformed files give a code, a place and a next step: no crash, no hang",
    files: ["test/sources/*.test.ts", "test/schema/**/*.test.ts", "test/torture/malformed.test.ts"],
    more: ["test/cli/bad-surroundings.test.ts"],
  },
  {
    id: "G09",
    promise:
      "killed at any effect of a run and its publication, or failing there: nothing torn, nothing lost, nothing done twice",
    files: [
      "test/torture/kill-sweep.test.ts",
      "test/torture/failing-effects.test.ts",
      "test/torture/parallel-kills.test.ts",
    ],
    more: ["test/torture/*kill*.test.ts"],
  },
  {
    id: "G10",
    promise: "locks hold between Node, Python and flock",
    files: ["test/torture/locks.test.ts"],
  },
  {
    id: "G11",
    promise: "cancelled within 2 s, and no process left",
    files: ["test/torture/cancel.test.ts"],
    more: ["test/torture/action-cancel.test.ts"],
  },
  {
    id: "G12",
    promise: "deliveries: none lost, none twice",
    files: ["test/torture/deliveries.test.ts"],
  },
  {
    id: "G13",
    promise: "hostile HTTP does not end the App",
    files: ["test/app/siege.test.ts", "test/app/webhooks/web-server.test.ts"],
  },
  {
    id: "G14",
    promise: "a faulty API: one pull request, one comment",
    files: ["test/github/pulls/publish-chaos.test.ts"],
  },
  {
    id: "G15",
    promise: "races for a branch: no commit lost, no force push",
    files: ["test/github/publish/publish-races.test.ts"],
    more: ["test/torture/publish-races.test.ts"],
  },
  {
    id: "G16",
    promise: "every documented limit at -1, 0 and +1",
    files: ["test/views/summary/fit-sections.test.ts", "test/views/job/*.test.ts"],
  },
  {
    id: "G18",
    promise:
      "a changed line in a module of security is noticed by its tests, or written down why it changes nothing",
    files: ["test/torture/mutants.test.ts"],
  },
];
