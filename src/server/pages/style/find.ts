/** The band with the search form, the Subscribe sheet, the tray. */

export const FIND = `.hero{position:relative;margin-top:-12rem;padding-block:13.25rem 1.5rem;overflow:hidden}.hero>.wrap{position:relative}
.hero h1{max-width:22ch;margin-bottom:1.25rem;font-size:clamp(1.75rem,1.2rem + 2.6vw,3rem)}.hero .chips{margin-top:.75rem}.h2{font-size:clamp(1.25rem,1rem + 1.2vw,1.5rem)}.slim{padding-block:12.25rem 1.25rem}
header:has(+main>.hero){background:none;position:relative;z-index:1}
.court{position:absolute;right:0;bottom:0;height:calc(100% - 8.25rem);width:min(100%,66rem);fill:none;stroke:#fff;stroke-width:3;opacity:.16}
.band .chip{background:#ffffff1f;border-color:#ffffff59;color:#fff}.band .chip:hover{background:#ffffff38}
.find{display:grid;gap:.5rem;grid-template-columns:1fr auto}.find>:first-child{grid-column:1/-1}.slim .find{grid-template-columns:1fr 1fr 3rem}.slim .find>:first-child{grid-column:auto}
.find label{font-size:.875rem;font-weight:600;display:block;margin-bottom:.25rem}
.find .btn{align-self:end;background:var(--ball);color:#11142a;border-color:var(--ball);min-height:3rem}
.find input{border-color:#fffa;color:var(--ink);min-height:3rem;text-overflow:ellipsis}
@media(width>=40rem){.find,.slim .find{grid-template-columns:1fr minmax(12rem,.6fr) auto;gap:.75rem}.find>:first-child{grid-column:auto}}
@media(width<40rem){.slim .btn{padding:0;font-size:0;gap:0}.slim .btn .i{font-size:1rem}}
@media(width<=16rem){.find,.slim .find{grid-template-columns:100%}}
.in{position:relative}.in input{padding-right:2.75rem}.in .go{position:absolute;right:2px;bottom:2px}`;

export const TRAY = `.tray{position:sticky;bottom:.75rem;z-index:5;width:fit-content;max-width:95%;margin:0 auto;display:flex;align-items:center;gap:1rem;background:var(--ink);color:var(--bg);border-radius:14px;padding:.5rem .5rem .5rem 1.125rem;box-shadow:0 8px 30px #0005}
.tray .btn{background:var(--ball);border-color:var(--ball);color:#11142a}`;

export const SHEET = `[popover]{color:inherit;background:var(--card);border:0;padding:var(--in);box-shadow:0 12px 60px #0006;margin:auto auto 0;width:100%;max-width:100%;max-height:92vh;border-radius:18px 18px 0 0;overflow:auto}
[popover] .head{flex-wrap:nowrap;align-items:center;gap:.5rem}
:has(:popover-open)>:not(:has(:popover-open),:popover-open){interactivity:inert}
::backdrop{background:#0b0e1f99}
@media(width>=48rem){[popover]{margin:auto;width:46rem;border-radius:18px;--in:1.75rem}.sheet{display:grid;grid-template-columns:minmax(0,1fr) 10rem;gap:0 1.75rem}}
.opts{margin-top:.75rem}.opts .fit{background:var(--wash);border:1.5px solid var(--accent);border-radius:12px;padding:.75rem}.opts li:has(.fit)+li>a{border:0}
.opts a,.opts button{display:grid;grid-template-columns:2rem 1fr;gap:0 .75rem;align-items:center;width:100%;text-align:left;font:inherit;background:none;border:0;border-top:1px solid var(--line);padding:.625rem 0;color:inherit;text-decoration:none;cursor:pointer}
.opts .i{grid-row:1/3;width:1.5rem;height:1.5rem;color:var(--accent)}
.opts b{color:var(--accent);display:flex;gap:.5rem;flex-wrap:wrap}
.qr{background:#fff;color:#000;padding:.5rem;border-radius:10px;width:10rem}
@supports not selector(:popover-open){[popover]{display:block;position:static;margin-block:1rem}}`;
