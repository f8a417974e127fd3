import { expect, test } from "vitest";
import { dark, light } from "../../../src/views/html/palette.ts";

/** Relative luminance, as the Web Content Accessibility Guidelines 2 define it. */
function luminance(colour: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5]
    .map((at) => Number.parseInt(colour.slice(at, at + 2), 16) / 255)
    .map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function contrast(one: string, other: string): number {
  const [high = 0, low = 0] = [luminance(one), luminance(other)].sort((a, b) => b - a);
  return (high + 0.05) / (low + 0.05);
}

const schemes = { light, dark };
const texts = ["text", "quiet", "link", "ok", "warn", "bad"] as const;
const bars = ["work", "test", "review", "gate", "ok", "warn", "bad"] as const;

test.each(Object.entries(schemes))("text can be read on every ground, %s", (_, scheme) => {
  for (const name of texts) {
    for (const ground of [scheme.page, scheme.panel, scheme.track]) {
      expect(contrast(scheme[name], ground), name).toBeGreaterThanOrEqual(4.5);
    }
  }
});

test.each(Object.entries(schemes))("bars contrast with their background, %s", (_, scheme) => {
  for (const name of bars) {
    expect(contrast(scheme[name], scheme.track), name).toBeGreaterThanOrEqual(3);
  }
});
