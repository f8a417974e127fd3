import fc from "fast-check";
import { expect, test } from "vitest";
import { readRobotOutput } from "../../../src/core/verify/robot-output.ts";

const robot = (body: string, version = 5) =>
  `<?xml version="1.0" encoding="UTF-8"?>\n<robot generator="Robot 7" schemaversion="${version}">${body}</robot>\n`;

test("schema 5: time is elapsed, and only the status directly below a test counts", () => {
  const xml = robot(`<suite id="s1" name="Robot"><suite id="s1-s1" name="Users">
<test id="s1-s1-t1" name="Lists &lt;users&gt;" line="4"><kw name="Read"><status status="FAIL" start="x" elapsed="9"/></kw>
<status status="PASS" start="2026-05-12T10:00:00.100" elapsed="0.571"/></test>
<test id="s1-s1-t2" name="Failing"><status status="FAIL" start="x" elapsed="0.001">Boom: x != &#39;y&apos;</status></test>
<test id="s1-s1-t3" name="Later"><status status="SKIP" start="x" elapsed="0">later</status></test>
<status status="FAIL" start="x" elapsed="1"/></suite></suite>
<errors><msg level="ERROR">No library named 'Nothing'</msg></errors>`);
  expect(readRobotOutput(xml)).toEqual({
    tests: [
      { name: "Lists <users>", status: "passed", message: "", ms: 571 },
      { name: "Failing", status: "failed", message: "Boom: x != 'y'", ms: 1 },
      { name: "Later", status: "skipped", message: "later", ms: 0 },
    ],
    errors: ["No library named 'Nothing'"],
  });
});

test.each([3, 4])("schema %i: time is the distance of two stamps", (version) => {
  const status =
    '<status status="PASS" starttime="20260512 10:00:00.100" endtime="20260512 10:00:01.350"></status>';
  const xml = robot(`<suite name="S"><test id="t" name="Old">${status}</test></suite>`, version);
  expect(readRobotOutput(xml)?.tests).toEqual([
    { name: "Old", status: "passed", message: "", ms: 1250 },
  ]);
});

test.each([
  ["a document type", `<!DOCTYPE robot [<!ENTITY a "b">]>${robot("")}`],
  ["a missing end", robot("<suite>").replace("</robot>", "")],
  ["wrong nesting", robot("<suite><test></suite></test>")],
  ["too much depth", robot("<kw>".repeat(500) + "</kw>".repeat(500))],
  ["something else", "<html></html>"],
  ["nothing", ""],
])("%s is no result", (_, xml) => expect(readRobotOutput(xml)).toBeUndefined());

test("any text is read without an error", () => {
  fc.assert(fc.property(fc.string(), (text) => void readRobotOutput(robot(text))));
});
