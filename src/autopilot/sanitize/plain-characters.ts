/**
 * Characters that are invisible or change how others are shown (T03): control, format and private characters, lone
 * surrogates, blank fillers, and variation selectors. Line ends and tabs stay.
 */
const invisible = new RegExp(
  [
    String.raw`(?![\n\t])[\p{Cc}\p{Cf}\p{Co}\p{Cs}]`,
    String.raw`[\u115f\u1160\u17b4\u17b5\u180e\u2800\u3164\uffa0]`,
    String.raw`\u034f|\p{Variation_Selector}`,
  ].join("|"),
  "gu",
);
/** Selectors and joiners of emoji, and a byte order mark at the start, hide nothing. */
const harmless =
  /^\ufeff|(?<=\p{Extended_Pictographic}|\p{Emoji_Modifier}|\ufe0f)(?:\ufe0f|\u200d)/gu;
/** `&amp;` and its other spellings hide further entities. */
const ampersands = /&(?:(?:amp|AMP|#0{0,9}38|#[xX]0{0,9}26);)+/g;
const entity = /&(?:#(\d{1,9})|#[xX]([0-9a-fA-F]{1,8})|([A-Za-z]{2,20}));/g;
const named: Readonly<Record<string, string>> = {
  ...{ lt: "<", LT: "<", gt: ">", GT: ">", quot: '"', QUOT: '"', apos: "'", nbsp: " " },
  ...{ lbrack: "[", lsqb: "[", rbrack: "]", rsqb: "]", lpar: "(", rpar: ")", excl: "!" },
  ...{ colon: ":", grave: "`", bsol: "\\", sol: "/", num: "#", Tab: " ", NewLine: " " },
  ...{ mdash: "—", ndash: "–", hellip: "…", laquo: "«", raquo: "»", copy: "©" },
};
/** The form of an entity that is not in the table. */
const leftover = /&(?=#?\w+;)/g;

/** A text of visible characters, and whether others were removed. */
export type Plain = { text: string; hidden: boolean };

/** Keeps visible characters only, in one normal form. Line numbers do not change, and a second pass changes nothing. */
export function plainCharacters(source: string): Plain {
  const text = source.replace(/\r\n?|[\u0085\u2028\u2029]/g, "\n").replace(harmless, "");
  const shown = visible(text);
  return { text: decodeEntities(shown), hidden: shown.length < text.normalize("NFC").length };
}

/** Breaks the form of every entity. */
export function withoutEntities(text: string): string {
  return text.replace(leftover, "& ");
}

const visible = (text: string) => text.replace(invisible, "").normalize("NFC");

/** Entities are decoded before markup is removed, so that markup cannot hide in them (T04). */
function decodeEntities(text: string): string {
  const decoded = text
    .replace(ampersands, "&")
    .replace(entity, (whole, ...groups: (string | undefined)[]) => {
      const [decimal, hex, name] = groups;
      if (name !== undefined) return named[name] ?? whole;
      return characterOf(decimal ? Number(decimal) : Number.parseInt(hex ?? "", 16));
    });
  return withoutEntities(visible(decoded));
}

function characterOf(code: number): string {
  const isText = code > 32 && code <= 0x10ffff && !(code >= 0xd800 && code <= 0xdfff);
  return isText ? String.fromCodePoint(code) : " ";
}
