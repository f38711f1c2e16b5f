/** `/feeds` and `/feeds/{id}`: dots of states, feeds in trouble, publishers in columns, one feed with its findings. */
export const FEEDS = `.lead{font-size:1.1875rem;margin:.5rem 0 1.25rem}
.dot,.dots i{display:inline-block;width:.75rem;height:.75rem;border-radius:3px;background:var(--green);margin-right:.125rem}
.dot.fail,.dots .fail{background:var(--red)}.dot.warn,.dots .warn{background:var(--amber)}.dot.wait,.dots .wait{background:none;box-shadow:inset 0 0 0 2px var(--edge)}
.trouble{padding:0}.trouble li{display:grid;gap:.125rem 1.5rem;padding:.875rem 1rem}
.trouble li+li{border-top:1px solid var(--line)}
@media(width>=48rem){.trouble li{grid-template-columns:minmax(0,1.1fr) minmax(0,1.3fr) 15rem}}
.mini{display:flex;gap:.5rem}
.kinds th,.kinds td{padding:.625rem .75rem .625rem 0;border-top:1px solid var(--line);vertical-align:top}
.kinds th[scope=row]{font-weight:500}
.kinds thead th{border:0;font-size:.875rem;color:var(--soft);padding-block:0 .375rem}.kinds th:first-child{width:100%}.kinds th[scope=row]{overflow-wrap:anywhere}
@media(width>=40rem){.kinds td{white-space:nowrap}}.kinds td a{white-space:nowrap}
details>summary.more{min-height:2.75rem;padding:.5rem 0;color:var(--accent);cursor:pointer}
.pubs{columns:19rem;column-gap:1.5rem}
.pubs>li{break-inside:avoid}
.pubs summary{display:flex;gap:.5rem;padding:.25rem 0;min-height:2rem;align-items:center;cursor:pointer;list-style:none;border-bottom:1px solid var(--line);font-size:.9375rem}
.pubs summary::-webkit-details-marker{display:none}
.dots{flex:none;max-width:6.25rem;line-height:.6}
.pubs summary>span:last-child{margin-left:auto;flex:none}
.pubs p{padding:.25rem 0;font-size:.9375rem}
.pubs p+p{padding-top:0}.pubs a{display:inline-block;padding-block:.125rem}
.feed-facts{display:grid;gap:.875rem 1.25rem;grid-template-columns:repeat(auto-fill,minmax(12rem,1fr))}
.feed-facts dt{font-size:.875rem;color:var(--soft)}.feed-facts dd{font-weight:550}
.found li{padding:.625rem 0;border-top:1px solid var(--line)}
.found code{font-size:.875em;overflow-wrap:anywhere}`;

/** `/api`: the addresses, each with its parameters. */
export const API = `.ops{padding-block:.25rem}.ops>li+li{border-top:1px solid var(--line)}
.ops>li{padding-block:.875rem}.ops>li>*+*{margin-top:.25rem}
.ops code,.ops a{overflow-wrap:anywhere}.ops h3 code{font-weight:650}
.ops summary{color:var(--accent)}.ops dl>div{padding:.375rem 0;border-top:1px solid var(--line)}
@media(width>=40rem){.ops dl>div{display:grid;grid-template-columns:11rem minmax(0,1fr);gap:1rem}}`;

/** `/admin`: the actions on a feed side by side, and all feeds in a table. */
export const ADMIN = `.acts{display:flex;flex-wrap:wrap;gap:.5rem;margin-top:.75rem}.acts .btn{min-height:2.5rem;padding-block:.25rem}
.trouble li{display:block}.all td,.all th{padding:.5rem .75rem .5rem 0;border-top:1px solid var(--line);vertical-align:top}.all thead th{border:0}
.bad.note{padding:.75rem 1rem;border-radius:10px;margin-block:1rem}`;
