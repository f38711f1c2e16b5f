/** Lists of what is on: date tiles, result rows, days side by side, the filter panel. */

export const HOME = `@media(width>=60rem){.hero .scroll{flex-wrap:wrap}}
.state{display:flex;align-items:center;gap:.5rem;flex-wrap:wrap}
.state::before{content:"";width:.75rem;height:.75rem;border-radius:50%;background:var(--green)}.state.shut::before{background:none;border:2.5px solid var(--red)}
.places li{padding:.625rem 0;border-top:1px solid var(--line)}.places li:first-child{border:0}.places a{font-weight:600}.places p{font-size:.9375rem}.rows.places li{padding:.75rem 1rem}
@media(width>=48rem){.rows.places li{display:grid;grid-template-columns:minmax(0,1fr) auto;gap:0 1rem}.rows.places a{justify-self:start}.rows.places p+p{grid-area:1/2/3;align-self:center}}
.steps{counter-reset:s;display:grid;gap:.625rem;margin-top:.75rem}.steps li{counter-increment:s;padding-left:2.25rem;position:relative}.steps li::before{content:counter(s);position:absolute;left:0;width:1.5rem;height:1.5rem;border-radius:50%;background:var(--wash);color:var(--accent);font-weight:700;font-size:.875rem;display:grid;place-items:center}.steps .i{display:inline;vertical-align:-.25em}`;

export const WEEK = `.cols{display:grid;gap:.75rem;margin-top:1.5rem;grid-template-columns:repeat(auto-fill,minmax(min(100%,13rem),1fr))}
.col{background:var(--card);border-radius:14px;box-shadow:var(--shade);padding:.875rem;min-width:0}.col.now{box-shadow:inset 0 0 0 2px var(--accent)}
.col h2{font-size:1.0625rem;margin-bottom:.375rem}.col h2 .soft{font-size:.875rem}
.col li{position:relative;border-left:4px solid var(--h,var(--line));padding:.25rem 0 .25rem .625rem;margin-top:.5rem}
.col h3{font-size:1rem;font-weight:600}.col h3 a{color:inherit;text-decoration:none}.col h3 a::after{content:"";position:absolute;inset:0}.col li:hover h3 a{text-decoration:underline}
.col p{font-size:.875rem;color:var(--soft)}.col .flag{margin-right:.25rem}.col .when>time{display:inline;font-size:1rem}
.col .off h3 a,.col .off time{text-decoration:line-through}
.col.none{background:none;box-shadow:none;border:1px dashed var(--edge);color:var(--soft)}@media(width<40rem){.col.none{display:none}}
@media(width>=60rem){.cols{grid-template-columns:repeat(7,minmax(0,1fr));gap:.375rem}.col{padding:.5rem}.col h2,.col h3,.col .when>time{font-size:.875rem}.col p{font-size:.8125rem}.col .flag{font-size:.75rem;padding:0 .25rem}.col .flag .i{display:none}}`;

export const TILES = `.days :is(a,.d){position:relative;display:grid;justify-items:center;align-content:center;min-width:3.75rem;min-height:4.5rem;padding:.25rem .5rem;border-radius:12px;background:var(--card);box-shadow:var(--shade);color:var(--ink);text-decoration:none;line-height:1.2;font-size:.8125rem}
.days b{font-size:1.375rem}
.days [aria-current]{background:var(--accent);color:var(--on)}.days [aria-current] small{color:inherit}
.days small{font-size:.75rem}
.days span.d{color:var(--soft);box-shadow:none!important;background:none;border:1px dashed var(--edge)}`;

export const ROWS = `.rows{overflow:clip}
.row{position:relative;display:grid;grid-template-columns:minmax(4.25rem,min-content) minmax(0,1fr) auto;gap:0 .75rem;padding:.75rem .75rem .75rem 1rem}
.row+.row{border-top:1px solid var(--line)}
.row:hover{background:color-mix(in srgb,var(--wash) 45%,var(--card))}
.what{border-left:4px solid var(--h,var(--line));padding-left:.75rem;border-radius:2px}
.row h3{line-height:1.42}.row h3 a{color:inherit;text-decoration:none;display:block}
.row h3 a::after{content:"";position:absolute;inset:0}
.row:hover h3 a{text-decoration:underline}
.what p{font-size:.9375rem;color:var(--soft)}
.what .flag{margin:.125rem .25rem .125rem 0}
.row .go{position:relative;z-index:1;align-self:center;border:1.5px solid var(--line)}
.row.off .when>time,.row.off h3 a{text-decoration:line-through;color:var(--soft)}
.row small{display:block}
@media(width>=48rem){.row{grid-template-columns:7.25rem minmax(0,1fr) auto auto;padding-block:.875rem}.when>time,.when span{display:inline}.cost{text-align:right;align-self:center;max-width:13rem}}
@media(width<48rem){.flags{display:block}.row{grid-template-rows:auto 1fr}.row .when{grid-row:1/3}.cost{grid-column:2;grid-row:2;padding-left:.75rem;border-left:4px solid var(--h,var(--line));margin-top:-2px;display:flex;flex-wrap:wrap;gap:0 .75rem;align-content:start}.row .go{grid-column:3;grid-row:1/3}}
@media(width<=16rem){.row{grid-template-columns:1fr auto}.row>*{grid-column:1/3}.cost{grid-row:auto}.row .go{grid-area:1/2}}
.cost p{font-size:.9375rem;color:var(--soft)}.cost b{color:var(--ink)}
.day1{margin-top:1.5rem}.day1 h2{margin-bottom:.625rem}.day1 .head h2{margin:0}`;

export const FILTERS = `fieldset+fieldset{border-top:1px solid var(--line);margin-top:.75rem;padding-top:.875rem}
legend{padding:0;font-weight:650;float:left;width:100%;margin-bottom:.25rem}legend+*{clear:both}
.opt{display:flex;gap:.625rem;align-items:center;min-height:2.375rem;font-size:.9375rem}.opt small{margin-left:auto}
.week{display:grid;grid-template-columns:repeat(7,1fr);gap:.1875rem}
.week label{display:grid;place-items:center;min-height:2.75rem;border:1px solid var(--edge);border-radius:8px;font-size:.875rem;cursor:pointer;position:relative}
.week input{position:absolute;opacity:0;inset:0;width:100%;height:100%}
.week label:has(:checked){background:var(--accent);border:3px double var(--accent);color:var(--on);font-weight:650}
@media(width>=60rem){.left #filters{display:block;position:static;margin:0;width:auto;max-height:none;border-radius:14px;padding:1.125rem;box-shadow:var(--shade);overflow:visible}.at-once .apply{display:none}.left{gap:2rem;grid-template-columns:15.5rem minmax(0,1fr)!important}}
@media(width<60rem){.left{gap:0}}
.picks{margin-bottom:.75rem}.picks .i{width:1em;height:1em}
.standing{margin-top:.75rem}@media(width>=40rem){.standing{display:flex;gap:1rem;align-items:center;justify-content:space-between;padding:.75rem .75rem .75rem 1.125rem;border-radius:14px;background:var(--wash)}.standing .full{width:auto;flex:none}}
.apply{position:sticky;bottom:calc(-1*var(--in));background:var(--card);padding-block:.75rem;margin-top:.75rem}`;
