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

export const plain = (text: string, level: Level = "normal"): Description => ({
  level,
  mark: "plain",
  text,
});
export const good = (text: string, level: Level = "normal"): Description => ({
  level,
  mark: "good",
  text,
});
export const bad = (text: string, level: Level = "quiet"): Description => ({
  level,
  mark: "bad",
  text,
});
