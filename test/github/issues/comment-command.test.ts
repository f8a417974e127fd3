import { expect, test } from "vitest";
import { type CommentCommand, readCommand } from "../../../src/github/issues/comment-command.ts";

const commands: [string, CommentCommand][] = [
  ["/ralph run", { verb: "run" }],
  ["/ralph autopilot", { verb: "autopilot" }],
  ["/ralph status", { verb: "status" }],
  ["/ralph cancel", { verb: "cancel" }],
  ["/ralph pause", { verb: "pause" }],
  ["/ralph resume", { verb: "resume" }],
  ["/ralph help", { verb: "help" }],
  ["/ralph", { verb: "help" }],
  ["/ralph \nrun", { verb: "help" }],
  ["/ralph  run  ", { verb: "run" }],
  ["/ralph\trun", { verb: "run" }],
  ["/ralph run\nplease", { verb: "run" }],
  ["/ralph run\r\n", { verb: "run" }],
  ["/ralph run\u2028/ralph cancel", { verb: "run" }],
  ["/ralph retry", { verb: "retry", task: undefined }],
  ["/ralph retry T-003", { verb: "retry", task: "T-003" }],
  ["/ralph skip T-1000", { verb: "skip", task: "T-1000" }],
  ["/ralph hint Use the new parser.", { verb: "hint", text: "Use the new parser." }],
  ["/ralph budget 5", { verb: "budget", usd: 5 }],
  ["/ralph budget $2.50", { verb: "budget", usd: 2.5 }],
  ["/Ralph STATUS", { verb: "status" }],
  [" /ralph run.", { verb: "run" }],
  ["/ralph Skip t-003", { verb: "skip", task: "T-003" }],
  ["/ralph Hint Keep the case.", { verb: "hint", text: "Keep the case." }],
  ["/ralph budget 0", { verb: "budget", usd: 0 }],
];

test.each(commands)("%j is a command", (body, command) => {
  expect(readCommand(body)).toEqual({ kind: "command", command });
});

test.each([
  "",
  "run",
  "\t/ralph run",
  "\u200B/ralph run",
  "> /ralph run",
  "`/ralph run`",
  "```\n/ralph run\n```",
  "~~~\n/ralph run\n~~~",
  "    /ralph run",
  "<!-- /ralph run -->",
  "<b>/ralph run",
  "\n/ralph run",
  "Please do /ralph run",
  "@bot /ralph run",
  "- /ralph run",
  "/ralphrun",
  "/ralph-run",
  "/ralph\u00A0run",
  "//ralph run",
  "thanks\n/ralph run",
])("%j is an ordinary comment", (body) => {
  expect(readCommand(body)).toEqual({ kind: "none" });
});

test.each([
  ["/ralph merge", "There is no command `merge`."],
  ["/ralph constructor", "There is no command `constructor`."],
  ["/ralph (run)", "There is no command `run`."],
  ["/ralph run now", "`/ralph run` takes no argument."],
  ["/ralph retry 3", "`3` is not a task id such as T-003."],
  ["/ralph retry <img src=x>`@team", "`img srcxteam` is not a task id such as T-003."],
  ["/ralph skip", "Name the task to skip: `/ralph skip T-003`."],
  ["/ralph hint", "Add the hint: `/ralph hint Use the new parser.`"],
  ["/ralph budget lots", "Give the budget in US dollars: `/ralph budget 5`."],
  ["/ralph budget -1", "Give the budget in US dollars: `/ralph budget 5`."],
])("%j addresses ralph and gets an answer", (body, problem) => {
  expect(readCommand(body)).toEqual({ kind: "unreadable", problem });
});
