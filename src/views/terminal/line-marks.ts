/** The lowest level that prints an event: `quiet` for failures that need a person, `verbose` for everything. */
export const levels = ["quiet", "normal", "verbose"] as const;
export type Level = (typeof levels)[number];

/** The text of one event. `level` is the lowest level that prints it. */
export type EventLine = {
  level: Level;
  mark: "good" | "bad" | "wait" | "plain" | "warn";
  task?: string;
  text: string;
  /** Lines of output below it. */
  output?: readonly string[];
};

/** The same without the task, which the caller knows. */
export type Description = Omit<EventLine, "task">;

const marked =
  (mark: EventLine["mark"], usual: Level) =>
  (text: string, level: Level = usual): Description => ({ level, mark, text });

export const plain = marked("plain", "normal");
export const good = marked("good", "normal");
export const bad = marked("bad", "quiet");
export const warn = marked("warn", "normal");
