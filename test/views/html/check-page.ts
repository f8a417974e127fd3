const tag = /<(\/?)([a-z][a-z0-9]*)((?: [a-z-]+(?:="[^"<>]*")?)*)>/gi;
const empty = new Set(["meta", "link", "br", "input", "img"]);
const allowed = new Set(
  "html head body meta link title style main header footer section nav details summary div p span bdi b br h1 h2 h3 h4 ul ol li dl dt dd table caption thead tbody tr th td a code pre svg path figure figcaption img".split(
    " ",
  ),
);
const attributes = new Set(
  "lang charset http-equiv content name rel href class id role aria-label aria-labelledby aria-hidden tabindex scope open viewbox preserveaspectratio d alt src".split(
    " ",
  ),
);

/** What a kind of page may hold beyond what a report does. */
export interface More {
  tags: readonly string[];
  attributes: readonly string[];
  /** Where links and forms may lead. */
  places: RegExp;
}

const nothing: More = { tags: [], attributes: [], places: /^$/ };

/** What is wrong with a page of ours; a browser would be more forgiving. */
export function problemsOf(page: string, more: More = nothing): string[] {
  const body = page.replace(/^<!doctype html>\n<!-- ralph:page -->\n/, "");
  const [tags, texts] = [[...body.matchAll(tag)], body.split(/<[^>]*>/)];
  return [
    ...(body === page ? ["it does not begin as a page of ours"] : []),
    ...(tags.length === texts.length - 1 ? [] : ["a tag is not written as ours are"]),
    ...tags.flatMap(([, , name = "", rest = ""]) => tagProblems({ name, rest }, more)),
    ...nestingProblems(tags),
    ...texts.flatMap(textProblems),
    ...linkProblems(body, more),
    ...headingProblems(tags),
  ];
}

function tagProblems({ name, rest }: { name: string; rest: string }, more: More): string[] {
  const names = [...rest.replace(/"[^"]*"/g, "").matchAll(/ ([a-z-]+)/gi)];
  const own = (each: string) => attributes.has(each) || more.attributes.includes(each);
  const unknown = names.filter(([, each = ""]) => !own(each.toLowerCase()));
  return [
    ...(allowed.has(name) || more.tags.includes(name) ? [] : [`<${name}> is no tag of ours`]),
    ...unknown.map(([, each]) => `<${name}> has the attribute ${each}`),
  ];
}

function nestingProblems(tags: readonly RegExpMatchArray[]): string[] {
  const open: string[] = [];
  for (const [whole, slash, name = ""] of tags) {
    if (empty.has(name)) continue;
    if (!slash) open.push(name);
    else if (open.pop() !== name) return [`${whole} closes what is not open`];
  }
  return open.map((name) => `<${name}> is not closed`);
}

function textProblems(text: string): string[] {
  // What stands between two tags was escaped, so no sign of markup is left in it.
  const raw = /[<>"'`]|&(?!#\d+;)|(?![\n\t])[\p{Cc}\p{Cf}\p{Co}]/u.exec(stripStyle(text))?.[0];
  return raw === undefined ? [] : [`${JSON.stringify(raw)} stands in a text`];
}

/** The style is ours, and known by its digest. */
const stripStyle = (text: string) => (text.startsWith(":root{") ? "" : text);

function linkProblems(body: string, { places }: More): string[] {
  const ids = [...body.matchAll(/ id="([^"]*)"/g)].map(([, id]) => id);
  const links = [...body.matchAll(/ (?:href|action)="([^"]*)"/g)].map(([, link = ""]) => link);
  const sources = [...body.matchAll(/ src="([^"]*)"/g)].map(([, source = ""]) => source);
  const labels = [...body.matchAll(/ aria-labelledby="([^"]*)"/g)].map(([, id]) => id);
  return [
    ...(new Set(ids).size < ids.length ? ["an id stands twice"] : []),
    ...links
      .filter((link) => link !== "data:," && !ids.includes(link.slice(1)) && !places.test(link))
      .map((link) => `${link} leads nowhere`),
    ...sources
      .filter((source) => !/^data:image\/(?:png|jpeg);base64,[\w+/=]+$/.test(source))
      .map((source) => `${source.slice(0, 40)} is no picture of ours`),
    ...labels.filter((id) => !ids.includes(id)).map((id) => `no ${id} for a label`),
  ];
}

/** One h1, and no level is left out on the way down. */
function headingProblems(tags: readonly RegExpMatchArray[]): string[] {
  const levels = tags.flatMap(([, slash, name = ""]) =>
    !slash && /^h[1-6]$/.test(name) ? [Number(name[1])] : [],
  );
  const jumps = levels.filter((level, at) => level > (levels[at - 1] ?? 0) + 1);
  const first = levels.filter((level) => level === 1).length;
  return [
    ...(first === 1 ? [] : [`${first} first headings`]),
    ...jumps.map((level) => `a heading of level ${level} follows none above it`),
  ];
}
