/** Notices, the plate of a series' picture, pages of plain text, and the page that tries a calendar. */

export const NOTICE = `.notice{max-width:40rem;padding-block:1.5rem}.notice p{margin-top:.75rem}.notice .chips{margin-top:1.25rem}
.notice code{font-weight:650}.wrong{color:var(--red);font-size:.9375rem;font-weight:600}.find .wrong{grid-column:1/-1!important;color:#fff}@media(width>=40rem){.find .wrong{grid-column:2/-1!important}}`;

/**
 * The plate below a picture. The edges of the picture lie outside the plate, as browsers draw an icon there if it does not
 * load.
 */
export const PLATE = `.plate{position:relative;overflow:hidden;border-radius:14px;aspect-ratio:16/5;background:color-mix(in srgb,var(--h,var(--accent)) 16%,var(--card));color:var(--h,var(--accent))}
.plate svg{position:absolute;inset:0;width:100%;height:100%;fill:none;stroke:currentColor;stroke-width:3;opacity:.45}
.plate img{position:absolute;inset:-1.75rem;width:calc(100% + 3.5rem);height:calc(100% + 3.5rem);object-fit:cover}@media print{.plate{display:none}}`;

/** Sections, lists, and terms with their facts. */
export const PLAIN = `main>.wrap>*+*{margin-top:1rem}section+section,h1+section{margin-top:2rem}section>*+*{margin-top:.625rem}
main li{margin-block:.25rem}.cancelled{color:var(--amber);font-weight:600}
dl{display:grid;grid-template-columns:minmax(6rem,10rem) 1fr;gap:.4rem 1rem}dt{font-weight:600}
@media(width<=34rem){dl{grid-template-columns:1fr;gap:0}dd{margin-bottom:.6rem}}`;

/** The line of HTML for another site. */
export const SHARE = `.share summary{color:var(--accent);text-decoration:underline}.share input{margin-top:.5rem;font-size:.875rem}`;

/** `/publish`: the form, what would be published, what not and why, and the mapping file. */
export const PUBLISH = `.lead{font-size:1.1875rem;margin:.5rem 0 1.25rem;max-width:44rem}
.try{display:grid;grid-template-columns:minmax(0,1fr);gap:.5rem;max-width:46rem}.try label{font-weight:600}
.try>div{display:flex;flex-wrap:wrap;gap:.5rem}.try input{flex:1 1 min(18rem,100%);min-width:0;width:auto}
.wrong{background:var(--red-w);color:var(--red);padding:.625rem .875rem;border-radius:10px;font-weight:550}
.where li+li{margin-top:.5rem}.where ul{margin-top:.5rem;max-width:46rem}
.sum{font-size:1.1875rem;max-width:46rem;margin-top:.25rem}
.outs{padding:.25rem 1.25rem;margin-top:.875rem}.after{margin-top:.75rem}.outs>li{padding:.75rem 0;display:grid;gap:.125rem 1.5rem}
.outs>li+li{border-top:1px solid var(--line)}
.outs .flag{white-space:normal;justify-self:start}
@media(width>=48rem){.outs>li{grid-template-columns:minmax(0,1.2fr) minmax(0,1fr)}.outs .say{grid-column:1/-1}}
.outs.one>li{display:flex;gap:.25rem .75rem;flex-wrap:wrap;align-items:baseline}.outs.one>li>:last-child{flex:1 1 20rem}
.ask{display:grid;gap:.875rem;margin-top:.875rem}.ask>div,.ask fieldset>div{display:grid;gap:.125rem .75rem}.ask label{font-weight:600}.ask .btn{justify-self:start}.ask fieldset{display:grid;gap:.625rem;padding-top:.5rem}.ask legend{padding:0 0 .625rem;max-width:46rem}
@media(width>=48rem){.ask>div,.ask fieldset>div{grid-template-columns:16rem minmax(0,26rem);align-items:center}}
.map textarea{width:100%;min-height:18rem;font:.8125rem/1.5 ui-monospace,monospace;color:inherit;background:var(--bg);border:1px solid var(--edge);border-radius:9px;padding:.75rem;margin-block:.75rem;resize:vertical;white-space:pre;overflow:auto}
.map h2+p,.map ol{margin-top:.5rem}.map ol{list-style:decimal;padding-left:1.5rem}.map ol li+li{margin-top:.5rem}.part code{overflow-wrap:anywhere;font-size:.9em}`;

/** The address of a page, on paper. */
export const PAPER = `@media print{.onpaper{display:flex;flex-direction:row-reverse;gap:4mm;float:right}.onpaper figcaption{max-width:75mm;overflow-wrap:anywhere;text-align:right}.onpaper .qr{width:18mm;padding:0}}`;
