import { existsSync, mkdirSync, statSync } from "node:fs";
import { expect, test } from "vitest";
import { leaveVisibleFolder, visibleFolder } from "../../../src/platform/fs/visible-folder.ts";

test("a folder without a hidden one above it is used as it is", () => {
  expect(visibleFolder("/home/ada/state/ralph/1")).toBe("/home/ada/state/ralph/1");
});

test("any other has a place of its own, of which only this user sees the inside", () => {
  const place = visibleFolder("/home/ada/.local/state/.x/1");
  expect(place).toMatch(/\/var\/tmp\/ralph-\d+\/home\/ada\/_local\/state\/_x\/1$/);
  const base = place.slice(0, place.indexOf("/home/ada"));
  expect(statSync(base).mode & 0o777).toBe(0o700);
});

test("empty folders of that place are removed, and those of another project stay", () => {
  const [one, other] = [`/home/.x-${process.pid}/one`, `/home/.x-${process.pid}/other`];
  for (const folder of [one, other]) mkdirSync(visibleFolder(folder), { recursive: true });
  leaveVisibleFolder(one);
  expect([one, other].map((folder) => existsSync(visibleFolder(folder)))).toEqual([false, true]);
  leaveVisibleFolder(other);
  expect(existsSync(visibleFolder(`/home/.x-${process.pid}`))).toBe(false);
  leaveVisibleFolder("/home/ada/state");
});
