/** The page of a series: head, card, facts, month view, table of dates; and the page that explains the dates. */

export const FACTS = `.facts{display:grid;gap:.875rem 1.25rem;grid-template-columns:repeat(auto-fill,minmax(10.25rem,1fr))}
@media(width>=24rem){.facts .two-wide{grid-column:span 2}}.facts dt{font-size:.875rem;color:var(--soft)}.facts dd{font-weight:550;overflow-wrap:anywhere}.facts a{display:inline-block;min-height:1.5rem}
.crumbs{display:flex;flex-wrap:wrap;gap:0 .5rem;font-size:.9375rem;margin-bottom:.5rem}.crumbs li+li::before{content:"/";color:var(--soft);margin-right:.5rem}.crumbs a{display:inline-block;padding-block:.25rem}
.lead{font-size:1.1875rem;margin-top:.5rem}.lead+.lead{margin-top:0}h1~p:not(.lead+.lead){margin-top:.5rem}.big{font-size:1.375rem;font-weight:700;letter-spacing:-.015em}
.next{border-top:5px solid var(--h,var(--accent))}.next .do{display:grid;gap:.625rem;margin-top:1rem}.next .do:empty{display:none}.next .do+p{margin-top:1rem}.next .big{line-height:1.25}
.part>h2{margin-bottom:.375rem}.part0{margin-top:1.25rem}.about{max-width:62ch;white-space:pre-line}
.log li{padding:.5rem 0;border-top:1px solid var(--line);display:flex;gap:1rem;justify-content:space-between;align-items:baseline}.log small{flex:none}.ico{display:inline-flex;gap:.35rem;align-items:center}.gap{margin-top:.75rem}
@media(width<=22.5rem){.card{padding:.875rem}}
@media(width>=60rem){.next{grid-row:1/3;grid-column:2}}`;

export const MONTH = `.list th,.list td{padding:.625rem .75rem .625rem 0;border-top:1px solid var(--line);vertical-align:top}
.list thead th{border:0;font-size:.875rem;color:var(--soft);padding-block:0 .375rem}
@media(width>=48rem){.dates2{display:grid;grid-template-columns:21rem minmax(0,1fr);gap:2rem;align-items:start}}
.dates2>*{overflow-x:auto}.month{table-layout:fixed}
.month th{white-space:nowrap;font-size:.8125rem;color:var(--soft);text-align:center;font-weight:500}.month tbody th{color:var(--ink);font-weight:700}.month caption{padding:0 0 .5rem .25rem}.month caption::first-letter{text-transform:uppercase}
.month td{text-align:center;padding:1px;color:var(--soft);height:2.5rem}
.month a,.month td>span{display:inline-grid;place-items:center;width:2.25rem;height:2.25rem;border-radius:50%;color:var(--accent);background:var(--wash);font-weight:700;text-decoration:none}
.month a:hover{outline:2px solid var(--accent)}.month a[aria-current]{box-shadow:inset 0 0 0 1.5px var(--accent)}
.month .moved{background:var(--amber-w);color:var(--amber);box-shadow:inset 0 0 0 2px}
.month .held{background:var(--amber-w);color:var(--amber);outline:2px dashed;outline-offset:-2px}
.month .gone{background:var(--red-w);color:var(--red);text-decoration:line-through;text-decoration-thickness:2px}
.month td>span{background:none;color:var(--ink);box-shadow:inset 0 0 0 1.5px var(--edge)}
.key{display:flex;flex-wrap:wrap;gap:.25rem 1rem;font-size:.875rem;color:var(--soft)}
.key i{display:inline-block;width:.75rem;height:.75rem;border-radius:50%;margin-right:.35em;background:var(--wash);box-shadow:inset 0 0 0 1.5px var(--accent)}
.key .moved{background:var(--amber-w);box-shadow:inset 0 0 0 1.5px var(--amber)}.key .held{background:var(--amber-w);box-shadow:none;outline:1.5px dashed var(--amber);outline-offset:-1.5px}.key .gone{background:var(--red-w);box-shadow:inset 0 0 0 1.5px var(--red)}
.dates td:nth-child(2){white-space:nowrap}.dates .new .i{display:none}.dates .off{color:var(--soft)}.dates tr:target{background:var(--wash)}.dates small{white-space:normal}
.more{margin-top:.75rem}.more summary{display:inline-flex;list-style:none}.more summary::-webkit-details-marker{display:none}.more[open] summary{margin-bottom:1rem}
@media(width<48rem){.dates{margin-top:1rem}.dates td,.dates th{padding-right:.5rem}.dates .flag .i{display:none}}
@media(width<=22.5rem){.month a,.month td>span{width:2rem;height:2rem}}@media(width<=20.5rem){.dates td:nth-child(2){white-space:normal!important}}`;

export const EXPLAIN = `.plain1>*{max-width:62ch}.plain1>.deep{max-width:none}.deep>p,.deep>ul{max-width:62ch}.plain1 .lead{margin-top:.75rem}.plain1 td{overflow-wrap:anywhere}.plain1 td:first-of-type{white-space:nowrap}
.rules{margin-top:.75rem}.rules li{padding:.625rem 0;border-top:1px solid var(--line)}.rules b,.rules small{display:block}
details.deep{margin-top:2.5rem;border-top:1px solid var(--line);padding-top:1rem}details.deep>summary{font-weight:650;min-height:2.75rem}
.deep h3{margin-top:1.5rem}.deep li{margin-block:.5rem}.deep code{font-size:.875em;overflow-wrap:anywhere}.deep td:last-child{overflow-wrap:anywhere}.deep th{white-space:nowrap}@media(width<48rem){.deep tbody th{white-space:normal;min-width:6.5rem}.deep td:last-child{min-width:14rem}}
.across{overflow-x:auto}`;
