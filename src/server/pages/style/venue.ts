/** Places, facilities and embeds: opening hours, the timetable, free times, paper. */

const columns = [1, 2, 3, 4, 5, 6, 7, 8];

export const LANES = `.state{display:flex;align-items:center;gap:.5rem;font-size:1.0625rem}
.state::before{content:"";flex:none;width:.75rem;height:.75rem;border-radius:50%;background:var(--green)}
.state.shut::before{background:none;border:2.5px solid var(--red)}
.lanes :is(th,td){padding:.3125rem .5rem .3125rem 0;font-weight:500;white-space:nowrap;line-height:1.3}
.lanes td:last-child{white-space:normal;padding-right:0}.lanes td .i{display:inline;width:1em;height:1em;vertical-align:-.125em;color:var(--amber)}
.lanes .lane{width:55%;padding-right:1rem}
.lane svg{width:100%;height:.875rem;overflow:visible}
.rope{stroke:var(--edge);stroke-dasharray:1 2;opacity:.55}
.lanes rect{fill:var(--accent)}.lanes .odd{fill:var(--t3)}.lanes .gap{fill:var(--card)}.lanes .now{fill:var(--ink)}
.lanes .today>*{font-weight:700}.lanes thead td{padding-block:0}
.axis{display:flex;justify-content:space-between;font-size:.75rem;color:var(--soft);container-type:inline-size}@container(width<3rem){.axis>*{display:none}}
.notes{font-size:.9375rem;margin-top:.5rem}.hours .head{gap:.25rem;margin:-.5rem -.5rem .25rem 0}.span{white-space:nowrap}
@container(width<8rem){.axis>:not(:first-child,:last-child){display:none}}
@media(width<=24rem){.hours{padding-inline:.875rem}.span{white-space:normal}}@media(width<=16rem){.lanes .num{white-space:normal}}`;

export const GRID = `.grid h3{position:sticky;top:0;z-index:1;background:var(--bg);font-size:1rem;padding:1rem 0 .375rem}
.s a{color:inherit;text-decoration:none}.s a:hover{text-decoration:underline}
.s{position:relative;display:grid;grid-template-columns:minmax(4.25rem,min-content) minmax(0,1fr);gap:0 .25rem;padding:.5rem .75rem;background:var(--card);border-left:4px solid var(--h,var(--line));border-radius:6px;margin-bottom:3px;line-height:1.3}
.s a::after{content:"";position:absolute;inset:0}
.s .when{grid-row:1/5;white-space:normal}.s>a{font-weight:600;min-height:1.5rem}
.s small,.s .flag{grid-column:2;justify-self:start}.s small{font-size:.8125rem}
@media screen{.s.past,.s.past :is(.when,time){color:var(--soft)}.s.past{border-color:var(--line)}@media(width<60rem){.s.past{display:none}}}
.s.off a,.s.off .when{text-decoration:line-through;color:var(--soft)}
.rail{display:none}.none{color:var(--soft);font-size:.9375rem}
@media print,(width>=60rem){.grid{display:grid;--n:7;grid-template-columns:2.75rem repeat(var(--n),minmax(0,1fr));column-gap:.375rem;background:var(--card);border-radius:14px;box-shadow:var(--shade);padding:.75rem 1rem}.half{display:contents}${columns.map((n) => (n === 7 ? '' : `.n${n}{--n:${n}}`)).join('')}
.rail{display:grid;grid:subgrid/subgrid;grid-area:1/1/span 26/-1}.half+.half .rail{display:none}.rail b{grid-column:1/-1}.rail b+b{border-top:1px solid var(--line);font-size:.8125rem;color:var(--soft);padding-top:.375rem}
.day{display:grid;grid-row:1/span 26;grid-template:subgrid/minmax(0,1fr)}.day h3{padding:.25rem .5rem .5rem;background:var(--card)}.day .none{display:none}
${columns.map((at) => `.d${at}{grid-column:${at + 1}}`).join('')}
.day[aria-current]{background:color-mix(in srgb,var(--wash) 60%,transparent);border-radius:10px}.day[aria-current] h3{color:var(--accent);background:var(--wash);border-radius:inherit}.day ol{padding:.25rem .1875rem}
.s{display:block;padding:.375rem .5rem;font-size:.875rem;background:color-mix(in srgb,var(--h,var(--line)) 9%,var(--card))}.s small{display:block}.s :is(.when,time){font-size:.8125rem;color:inherit}.s time{display:inline}.s .when{display:block;color:var(--ink);font-weight:650}.s .flag{font-size:.75rem;padding-inline:.25rem;gap:0 .25rem}.s .flag .i{display:none}}
@media(width>=60rem){.wk{grid-template-columns:minmax(0,1fr) 30rem}}
.about{max-width:56ch;white-space:pre-line}.soon{display:grid;grid-template-columns:fit-content(60%) minmax(0,1fr);gap:.375rem .75rem;margin-block:.25rem}.soon li{display:contents}.soon .flag{margin-left:.375rem}
.sub{width:min(100%,25rem)}`;

export const SLOTS = `.slots{display:flex;flex-wrap:wrap;gap:.375rem}
.slots li>*{display:grid;place-items:center;min-width:4.25rem;min-height:2.75rem;padding:.125rem .5rem;border-radius:8px;border:1.5px solid var(--green);color:var(--green);background:var(--green-w);text-decoration:none;font-weight:700;line-height:1.15}
.slots small{font-size:.75rem;font-weight:500;color:inherit}
.slots .taken{border:1px dashed var(--edge);background:none;color:var(--soft);font-weight:500}
.fac{--pad:1.25rem;display:grid;gap:1rem;grid-template-columns:repeat(auto-fit,minmax(min(100%,21rem),1fr));margin-top:.75rem}.fac .days :is(a,.d){min-width:3.25rem;min-height:4rem;box-shadow:inset 0 0 0 1px var(--line)}.fac .head{margin:0}
.free{overflow-x:auto}.free table{font-size:.9375rem}.free th,.free td{padding:.375rem .75rem .375rem 0;border-top:1px solid var(--line);white-space:nowrap}.free thead *{border:0}.free .taken{color:var(--soft)}.free b{color:var(--green)}`;

export const PRINT = `@media print{@page{size:A4 landscape;margin:8mm}html{font-size:8pt}.about,.lane,.lanes thead,.hours h2{display:none!important}
.lanes,.lanes tbody{display:flex;flex-wrap:wrap;gap:0 5mm}.lanes th,.lanes td{padding:0 1mm 0 0}.lanes{margin:1mm 24mm 0 0}
.grid{padding:0;box-shadow:none}h1{font-size:14pt}.stack>*+*{margin-top:1mm}.part{margin-top:2mm}.tt .head{margin:0}.day h3{padding:0 .5rem .25rem}.grid .s,.grid .s :is(.when,time,.flag,small){font-size:7pt;display:inline}.grid .s{display:block;padding:.1rem .4rem;margin:0 0 1px;line-height:1.2;border-radius:2px}.grid .s .flag{white-space:normal;line-height:1.2;padding:0 .25rem}.s .when::after,.s small::before{content:" "}.day[aria-current]{background:none}.day[aria-current] h3{background:none;color:inherit}.day ol{padding:1px}
.dense .grid .s,.dense .s :is(.when,time,.flag,small){font-size:6.5pt}.dense .grid .s{padding:0 .3rem}.rail b{padding-top:1px}
.halves .grid{display:block}.halves .half{display:grid;grid-template-columns:2.75rem repeat(4,minmax(0,1fr));column-gap:.375rem}.halves .half+.half{break-before:page}.halves .half+.half .rail{display:grid}.halves .d5{grid-column:2}.halves .d6{grid-column:3}.halves .d7{grid-column:4}.halves .d8{grid-column:5}}`;

export const EMBED = `.embed{background:var(--card);font-size:.9375rem}.embed main{padding:.75rem}.embed h1{font-size:1.125rem;letter-spacing:0;flex:1 8rem}.embed h2{font-size:.875rem;color:var(--soft);padding:.75rem 0 .25rem}.embed .btn{min-height:2.5rem;font-size:.9375rem}
.e{display:grid;grid-template-columns:minmax(4.25rem,min-content) minmax(0,1fr);padding:.4375rem 0;border-top:1px solid var(--line)}.e .when{white-space:normal}.e .what{border-left:4px solid var(--h,var(--line));padding-left:.625rem}.e a{color:inherit;font-weight:600;text-decoration:none}.e small{display:block}.e a:hover{text-decoration:underline}.e.off a,.e.off .when{text-decoration:line-through;color:var(--soft)}.by{font-size:.8125rem;color:var(--soft);margin-top:.75rem}
.ecols{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(100%,17rem),1fr));gap:0 1.5rem}`;
