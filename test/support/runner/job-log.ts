import type { Annotation } from "./model.ts";

/** GitHub keeps this many annotations of each level for a step. */
const annotationsPerStep = 10;

export interface JobLog {
  readonly lines: string[];
  readonly rawLines: string[];
  readonly annotations: Annotation[];
  /** A line as GitHub shows it: masked. */
  write(line: string): void;
  /** Keeps a line as a program wrote it. */
  record(line: string): void;
  addMask(value: string): void;
  mask(text: string): string;
  annotate(annotation: Annotation): void;
  /** From here on annotations count for another step. */
  beginStep(): void;
}

/** The log of a job, in which known secrets are not readable. */
export function createJobLog(onLine: (line: string) => void): JobLog {
  const masks = new Set<string>();
  let counts: Record<string, number> = {};
  const log: JobLog = {
    lines: [],
    rawLines: [],
    annotations: [],
    write(line) {
      const masked = log.mask(line);
      log.lines.push(masked);
      onLine(masked);
    },
    record: (line) => log.rawLines.push(line),
    addMask(value) {
      for (const part of [value, ...value.split(/[\r\n]+/)]) if (part.trim()) masks.add(part);
    },
    mask: (text) =>
      [...masks]
        .sort((one, other) => other.length - one.length)
        .reduce((result, mask) => result.replaceAll(mask, "***"), text),
    annotate({ level, message, properties }) {
      log.write(`##[${level}]${message}`);
      counts[level] = (counts[level] ?? 0) + 1;
      if (counts[level] > annotationsPerStep) return;
      log.annotations.push({ level, message: log.mask(message), properties });
    },
    beginStep() {
      counts = {};
    },
  };
  return log;
}
