import { dark, declarations, light } from "./palette.ts";

const page = `
:root{color-scheme:light dark;${declarations(light)}}
@media (prefers-color-scheme:dark){:root{${declarations(dark)}}}
*{box-sizing:border-box}
body{margin:0 auto;max-width:72rem;padding:1rem;background:var(--page);color:var(--text);
font:1rem/1.5 system-ui,-apple-system,"Segoe UI",Roboto,sans-serif;overflow-wrap:anywhere}
h1{font-size:1.5rem;line-height:1.25;margin:0 0 .5rem}
h2{font-size:1.2rem;margin:2.25rem 0 .75rem;padding-bottom:.25rem;border-bottom:1px solid var(--line)}
h3,h4{font-size:1rem;margin:0}
p{margin:.5rem 0}
a{color:var(--link)}
:focus-visible{outline:3px solid var(--link);outline-offset:2px}
code,pre{font:.85em/1.5 ui-monospace,SFMono-Regular,Menlo,Consolas,monospace}
code{background:var(--track);border-radius:4px;padding:.1em .3em}
pre{margin:.5rem 0;padding:.75rem;white-space:pre-wrap;background:var(--track);border-radius:6px}
ul,ol{margin:.5rem 0;padding-left:1.75rem}
li{margin:.25rem 0}
.scroll{overflow-x:auto}
table{border-collapse:collapse;width:100%;font-size:.9rem}
caption{text-align:left;font-weight:600;padding:.5rem 0 .25rem}
th,td{text-align:left;vertical-align:top;padding:.3rem .75rem .3rem 0;border-bottom:1px solid var(--line);
overflow-wrap:break-word}
th{font-weight:600}
.num{text-align:right;white-space:nowrap;font-variant-numeric:tabular-nums}
bdi{unicode-bidi:isolate}
.quiet{color:var(--quiet)}
.ok{color:var(--ok)}.warn{color:var(--warn)}.bad{color:var(--bad)}
.hidden{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%);white-space:nowrap}
`;

const report = `
.verdict{border:1px solid var(--line);border-left:.5rem solid currentColor;border-radius:6px;
padding:.75rem 1rem;background:var(--panel)}
.verdict>*{color:var(--text)}
.verdict .word{color:inherit;font-size:1.35rem;font-weight:700;margin:0}
.next{margin-bottom:0}
.figures{display:grid;grid-template-columns:repeat(auto-fit,minmax(8.5rem,1fr));gap:.5rem;margin:1rem 0}
.figures div{border:1px solid var(--line);border-radius:6px;padding:.5rem .75rem}
dt{color:var(--quiet);font-size:.85rem}
dd{margin:0}
.figures dd{font-size:1.2rem;font-weight:600}
figure{margin:.5rem 0}
figure img{max-width:100%;height:auto;border:1px solid var(--line);border-radius:6px}
figcaption{color:var(--quiet);font-size:.85rem}
.pair{display:grid;grid-template-columns:repeat(auto-fit,minmax(16rem,1fr));gap:0 1rem}
.figures .note{font-size:.85rem;font-weight:400}
.facts{display:grid;grid-template-columns:minmax(7rem,auto) 1fr;gap:.25rem 1rem}
nav ul{display:flex;flex-wrap:wrap;gap:.25rem 1.25rem;list-style:none;padding:0}
nav a{display:inline-block;padding:.3rem 0}
.trouble{border-left:.25rem solid var(--bad);padding-left:.75rem;margin:1rem 0}
.row{display:grid;grid-template-columns:minmax(0,1fr) auto;gap:0 .75rem;align-items:center;padding:.4rem 0}
.task,.group,.plain{border-bottom:1px solid var(--line)}
summary{cursor:pointer}
summary.row{list-style:none}
summary.row::-webkit-details-marker{display:none}
summary h3::before,summary h4::before{content:"\\25B8\\FE0E";content:"\\25B8\\FE0E"/"";display:inline-block;width:1.1em;color:var(--quiet)}
.plain h3::before,.plain h4::before{content:"";display:inline-block;width:1.1em}
[open]>summary>h3::before,[open]>summary>h4::before{content:"\\25BE\\FE0E";content:"\\25BE\\FE0E"/""}
summary:hover{background:var(--panel)}
.row h3,.row h4{font-weight:400}
.row b{margin-right:.35rem}
.row .time,.row .cost,.axis span{white-space:nowrap}
.row .cost{grid-column:2;font-size:.9rem}
.row .when{grid-column:1/-1}
.row .price{display:none}
.state{font-weight:600;white-space:nowrap}
svg{display:block;width:100%}
.bar{height:.9rem;background:var(--track);border-radius:3px}
.price{height:.35rem;fill:var(--quiet)}
td .price{width:7rem;margin:.2rem 0 0 auto}
.work{fill:var(--work)}.test{fill:var(--test)}.review{fill:var(--review)}.gate{fill:var(--gate)}
.fine{fill:var(--ok)}.open{fill:var(--warn)}.fault{fill:var(--bad)}
.axis{margin:0;display:flex;justify-content:space-between;gap:1rem;font-size:.85rem;color:var(--quiet)}
.key{display:flex;flex-wrap:wrap;gap:.25rem 1rem;list-style:none;padding:0;font-size:.85rem}
.key svg{display:inline-block;width:1.6rem;height:.9rem;vertical-align:-.15em;margin-right:.35rem;
background:var(--track);border-radius:3px}
details details{margin:.25rem 0}
.inside{padding:.25rem 0 1rem 1.1rem}
.lanes{display:grid;grid-template-columns:minmax(6rem,auto) minmax(4rem,1fr) auto;gap:.25rem .75rem;
align-items:center;font-size:.85rem;list-style:none;padding:0;margin:.75rem 0}
.lanes li{display:contents}
.dots{font-size:1rem;line-height:1.15;letter-spacing:.08em;word-break:break-all;margin:.5rem 0}
footer{margin-top:3rem;color:var(--quiet);font-size:.85rem}
@media (max-width:30rem){
.lanes{display:block}
.lanes li{display:grid;grid-template-columns:1fr auto;gap:.25rem .75rem}
.lanes svg{grid-column:1/-1;grid-row:2}
.facts{grid-template-columns:1fr;gap:0}
.facts dd{margin-bottom:.5rem}
details details{margin:.25rem 0}
.inside{padding-left:.25rem}
table{font-size:.8rem}
th,td{padding-right:.4rem}
td .price{display:none}
}
@media (min-width:52rem){
.row{grid-template-columns:minmax(0,1fr) 34% 6.5rem 4.5rem}
.row .when{grid-column:auto;order:1}
.row .axis{grid-column:2}
.row .time{order:2;text-align:right}
.row .cost{grid-column:auto;order:3;text-align:right}
.row .price{display:block;margin-top:.2rem}
}
@media print{
body{max-width:none;padding:0;font-size:10pt}
nav,.hidden{display:none}
.small details::details-content{content-visibility:visible;display:block;block-size:auto}
.row,.trouble,tr{break-inside:avoid}
svg,.bar,.verdict{print-color-adjust:exact;-webkit-print-color-adjust:exact}
}
`;

/** The only style of a page; the page's policy contains its digest. */
export const style = `${page}${report}`.replaceAll("\n", "");
