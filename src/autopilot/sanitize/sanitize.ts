import { withoutMarkup } from "./hidden-markup.ts";
import { withoutCarriers } from "./markdown-carriers.ts";
import { plainCharacters, withoutEntities } from "./plain-characters.ts";

/** What a reader of the page would have seen; `hidden` tells that there was more. */
export type Sanitized = { text: string; hidden: boolean };

/**
 * A report or an issue as a person sees it: no comments, attributes, folded or invisible parts, image descriptions or
 * link titles, in which instructions for a model hide (T02-T04). Line numbers stay those of the source. Doing it twice
 * changes nothing, and time is linear in the text.
 */
export function sanitize(source: string): Sanitized {
  const plain = plainCharacters(source);
  const unmarked = withoutMarkup(plain.text);
  // What was taken out may have stood between two halves of something.
  const text = withoutEntities(withoutCarriers(unmarked.text)).normalize("NFC");
  return { text, hidden: plain.hidden || unmarked.hidden > 0 };
}
