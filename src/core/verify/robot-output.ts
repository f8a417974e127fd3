/** One test of a Robot Framework run. Times in milliseconds. */
export interface RobotTest {
  name: string;
  status: "passed" | "failed" | "skipped";
  message: string;
  ms: number;
}

/** The contents of output.xml; `errors`: files and libraries that could not be read. */
export interface RobotOutput {
  tests: RobotTest[];
  errors: string[];
}

const maxName = 200;
const maxMessage = 2000;
const maxDepth = 200;

type Open = {
  name: string;
  attributes: Record<string, string>;
  text: string;
  /** Of a test case: what kept it from passing. */
  outcome?: Pick<RobotTest, "status" | "message">;
};

/** `take` receives each element when it is complete, with those around it. */
type Form = { root: string; take: (output: RobotOutput, stack: Open[], element: Open) => void };

/**
 * Reads output.xml of Robot Framework 3 to 7 (schema versions 1 to 5). Only the status directly below a test counts:
 * keywords have one too. A document type could define entities, so a text that has one is refused. Never throws;
 * undefined for anything that is not a complete output.
 */
export const readRobotOutput = (xml: string) => readResults(xml, { root: "robot", take });

/** Reads the file of `--xunit`: the same results without keywords, so that it is small where output.xml is not. */
export const readXunit = (xml: string) =>
  readResults(xml, { root: "testsuite", take: takeTestCase });

function readResults(xml: string, form: Form): RobotOutput | undefined {
  if (/<!DOCTYPE|<!ENTITY/iu.test(xml)) return undefined;
  const output: RobotOutput = { tests: [], errors: [] };
  const stack: Open[] = [];
  for (const token of xml.matchAll(tokens)) {
    const complete = (element: Open) => form.take(output, stack, element);
    const isWell =
      token[5] === undefined ? readTag(stack, token, complete) : addText(stack, token[5]);
    if (!isWell) return undefined;
    if (stack.length === 0 && token[2] === form.root) return output;
  }
  return undefined;
}

/** False when the nesting is wrong, or too deep to be one of Robot Framework's. */
function readTag(stack: Open[], token: RegExpExecArray, complete: (element: Open) => void) {
  const [, closing, name = "", attributes = "", empty] = token;
  if (closing === "") {
    stack.push({ name, attributes: readAttributes(attributes), text: "" });
    if (empty === "") return stack.length <= maxDepth;
  }
  const element = stack.pop();
  if (element?.name !== name) return false;
  complete(element);
  return true;
}

/** A tag with its slashes, name and attributes, or the text between tags. */
const tokens = /<(\/?)([A-Za-z][\w.-]*)([^<>]*?)(\/?)>|([^<]+)/gu;

function addText(stack: readonly Open[], text: string): true {
  const last = stack.at(-1);
  if (last && last.text.length < maxMessage) last.text += text.slice(0, maxMessage);
  return true;
}

function take(output: RobotOutput, stack: readonly Open[], element: Open): void {
  const parent = stack.at(-1);
  if (element.name === "status" && parent?.name === "test") {
    output.tests.push(testOf(parent, element));
  } else if (element.name === "msg" && parent?.name === "errors") {
    output.errors.push(decode(element.text).trim());
  }
}

function takeTestCase(output: RobotOutput, stack: readonly Open[], element: Open): void {
  const parent = stack.at(-1);
  const { name, attributes, outcome } = element;
  if (
    parent?.name === "testcase" &&
    (name === "failure" || name === "error" || name === "skipped")
  ) {
    const message = messageOf(attributes.message ?? element.text);
    parent.outcome = { status: name === "skipped" ? "skipped" : "failed", message };
  } else if (name === "testcase") {
    output.tests.push({
      name: nameOf(element),
      ...(outcome ?? { status: "passed", message: "" }),
      ms: Math.round(Number(attributes.time) * 1000) || 0,
    });
  }
}

const nameOf = ({ attributes }: Open) => decode(attributes.name ?? "").slice(0, maxName);
const messageOf = (text: string) => decode(text).trim().slice(0, maxMessage).toWellFormed();

function testOf(test: Open, { attributes, text }: Open): RobotTest {
  const { status = "" } = attributes;
  const isSkipped = status === "SKIP" || status === "NOT RUN" || status === "NOT_RUN";
  return {
    name: nameOf(test),
    status: status === "PASS" ? "passed" : isSkipped ? "skipped" : "failed",
    message: messageOf(text),
    ms: durationOf(attributes),
  };
}

/** `elapsed` in seconds from Robot Framework 7 on; two times before. */
function durationOf({ elapsed, starttime, endtime }: Record<string, string>): number {
  if (elapsed !== undefined) return Math.round(Number(elapsed) * 1000) || 0;
  const [from, to] = [parseStamp(starttime), parseStamp(endtime)];
  return Math.max(0, to - from) || 0;
}

/** `20260512 10:00:00.100`. */
function parseStamp(stamp = ""): number {
  const [, year, month, day, time] = /^(\d{4})(\d\d)(\d\d) ([\d:.]+)$/u.exec(stamp) ?? [];
  return Date.parse(`${year}-${month}-${day}T${time}Z`);
}

function readAttributes(text: string): Record<string, string> {
  const found = text.matchAll(/([\w:.-]+)="([^"]*)"/gu);
  return Object.fromEntries(Array.from(found, ([, name = "", value = ""]) => [name, value]));
}

const entities: Record<string, string> = { lt: "<", gt: ">", quot: '"', apos: "'", amp: "&" };

function decode(text: string): string {
  return text.replace(/&(#?\w{1,10});/gu, (whole, name: string) => {
    if (!name.startsWith("#")) return entities[name] ?? whole;
    const code = Number(name.slice(1).replace(/^x/iu, "0x"));
    return code <= 0x10ffff ? String.fromCodePoint(code) : whole;
  });
}
