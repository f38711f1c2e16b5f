import { createHash } from 'node:crypto';

/** The one style sheet; inline, so that a page is one request. Colours keep 4.5:1 in both schemes. */
export const STYLE = `
:root { color-scheme: light dark; --ink: #1c2430; --soft: #4a5565; --paper: #fff; --tint: #f3f6f9; --line: #c4ccd6;
  --link: #0b57a4; --on-link: #fff; --warn: #8a3b00; }
@media (prefers-color-scheme: dark) { :root { --ink: #e8ecf1; --soft: #aeb9c6; --paper: #12171e; --tint: #1b222c;
  --line: #435061; --link: #8fc2ff; --on-link: #0c1622; --warn: #ffb684; } }
* { box-sizing: border-box; }
body { margin: 0; background: var(--paper); color: var(--ink); font: 1rem/1.5 system-ui, sans-serif;
  overflow-wrap: anywhere; }
header, main, footer { max-width: 56rem; margin: 0 auto; padding: 1rem; }
header { border-bottom: 1px solid var(--line); }
header p { margin: 0; font-weight: 600; }
footer { border-top: 1px solid var(--line); color: var(--soft); font-size: .9rem; }
a { color: var(--link); }
a:focus-visible, button:focus-visible, input:focus-visible, summary:focus-visible { outline: 3px solid var(--link);
  outline-offset: 2px; }
h1 { font-size: 1.7rem; line-height: 1.2; margin: 1rem 0 .5rem; }
h2 { font-size: 1.25rem; margin: 2rem 0 .5rem; }
h3 { font-size: 1.05rem; margin: 0; }
form { display: flex; flex-wrap: wrap; gap: .5rem; align-items: end; margin: 1rem 0; }
label { display: block; font-weight: 600; }
.field { flex: 1 1 14rem; }
input { width: 100%; font: inherit; padding: .5rem; border: 1px solid var(--soft); border-radius: .3rem;
  background: var(--paper); color: var(--ink); }
button, .button { display: inline-block; font: inherit; padding: .5rem .9rem; border: 1px solid var(--link);
  border-radius: .3rem; background: var(--link); color: var(--on-link); text-decoration: none; cursor: pointer; }
[hidden] { display: none; }
.rows { list-style: none; padding: 0; margin: 0; }
.rows > li { border-top: 1px solid var(--line); padding: .8rem 0; }
.rows p { margin: .1rem 0; }
.meta { color: var(--soft); }
.ways { list-style: none; padding: 0; display: flex; flex-wrap: wrap; gap: .5rem; margin: .6rem 0; }
.address { display: flex; flex-wrap: wrap; gap: .5rem; align-items: end; }
.panel { background: var(--tint); border: 1px solid var(--line); border-radius: .3rem; padding: 1rem; }
.panel h2, .panel > :last-child { margin: 0; }
.note { border-left: .3rem solid var(--warn); padding: .3rem .8rem; background: var(--tint); }
.text { white-space: pre-line; }
dl { display: grid; grid-template-columns: minmax(6rem, 10rem) 1fr; gap: .4rem 1rem; margin: 1rem 0; }
dt { font-weight: 600; }
dd { margin: 0; }
dd p, dd ul { margin: 0; padding-left: 0; list-style: none; }
summary { cursor: pointer; padding: .3rem 0; }
.tabs { list-style: none; padding: 0; display: flex; flex-wrap: wrap; gap: .5rem 1.2rem; margin: 1rem 0; }
.tabs a[aria-current] { font-weight: 600; color: var(--ink); text-decoration-thickness: .2rem; }
.panel h3 { margin-top: 1.2rem; }
.panel h3 + p { margin: 0; }
.now { font-size: 1.15rem; }
.closed { color: var(--warn); }
.panel > .meta:last-child { margin-top: .8rem; }
.scroll { overflow-x: auto; }
.span { white-space: nowrap; }
table { border-collapse: collapse; width: 100%; overflow-wrap: break-word; }
caption { text-align: left; color: var(--soft); padding: .3rem 0; }
th, td { text-align: left; vertical-align: top; padding: .4rem .8rem .4rem 0; border-top: 1px solid var(--line); }
tbody th { font-weight: 400; }
tr[aria-current] { background: var(--tint); }
tr[aria-current] th { font-weight: 600; }
code { font-size: .9em; }
.cancelled { color: var(--warn); font-weight: 600; }
.unseen { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
.skip:focus { position: static; width: auto; height: auto; clip-path: none; }
@media (max-width: 34rem) { dl { grid-template-columns: 1fr; gap: 0; } dd { margin-bottom: .6rem; } }
`;

/** Copies an address; without a clipboard (plain http) it selects it. The buttons are hidden until this runs. */
export const SCRIPT = `
for (const button of document.querySelectorAll('button[data-copies]')) {
  button.hidden = false;
  button.addEventListener('click', async () => {
    const field = document.getElementById(button.dataset.copies);
    field.select();
    let said = 'Address copied';
    try { await navigator.clipboard.writeText(field.value); button.textContent = 'Copied'; }
    catch { said = 'Address selected: copy it with your keyboard'; }
    document.getElementById('said').textContent = said;
  });
}
`;

const hash = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

/** Nothing but our own two texts runs or styles; nothing is loaded from anywhere; a hostile name stays a name. */
const POLICY = [
  "default-src 'none'",
  `style-src ${hash(STYLE)}`,
  `script-src ${hash(SCRIPT)}`,
  "img-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ');

export const PAGE_HEADERS: Readonly<Record<string, string>> = {
  'Content-Type': 'text/html; charset=utf-8',
  'Content-Security-Policy': POLICY,
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'DENY',
  'Referrer-Policy': 'no-referrer',
  'Permissions-Policy': 'camera=(), geolocation=(), microphone=()',
};
