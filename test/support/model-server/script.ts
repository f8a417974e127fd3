/** What the model does when it is asked once: it says something, uses tools, or fails. */
export interface Turn {
  /** Placeholders as in a scenario file: `{done}`, `{tests}`, `{approved}`, `{rejected}`, `{token}`. */
  say?: string;
  /** Tool calls, in words that hold for every program; the dialect knows the tools. */
  do?: readonly Deed[];
  refuse?: Refusal;
  /** How the answer breaks off after the text: the connection is cut, or nothing more comes. */
  breaks?: "cut" | "hang";
}

export type Deed = { read: string } | { write: string; text: string } | { run: string };

/** An error of the provider; the dialect knows what such a status is called. */
export interface Refusal {
  status: number;
  /** The error's type, where the status does not say all. */
  type?: string;
  message: string;
  headers?: Record<string, string>;
}

/**
 * Turns by role, one for each time the model is asked, repetitions after an error included. When they are used
 * up the last one is repeated. `other` is for whatever is none of our prompts; it says "ok" if not told otherwise.
 */
export type Script = Partial<Record<ScriptRole, readonly Turn[]>>;
export type ScriptRole = "implementation" | "test_writing" | "review" | "other";

const duties: readonly [ScriptRole, string][] = [
  ["implementation", "You are the implementation agent."],
  ["test_writing", "You are the test writer."],
  ["review", "You are the reviewer."],
];

/** Whose prompt this is. */
export function roleOf(prompt: string): ScriptRole {
  return duties.find(([, words]) => prompt.includes(words))?.[0] ?? "other";
}

/** Hands out the turns of a script, one after the other. */
export function createPrompter(script: Script): (role: ScriptRole) => Turn {
  const asked = new Map<ScriptRole, number>();
  return (role) => {
    const number = asked.get(role) ?? 0;
    asked.set(role, number + 1);
    const turns = script[role] ?? [];
    return turns[number] ?? turns.at(-1) ?? { say: "ok" };
  };
}
