/** The style of every page: text, band, buttons, chips, badges, footer, paper. The custom properties stand in `frame/theme.ts`. */
export const BASE = `*,::before,::after{box-sizing:border-box}
html{scroll-padding:3rem 0 5.5rem;--pad:clamp(1rem,4vw,2rem);--in:1.25rem}p{text-wrap:pretty}
body{margin:0;background:var(--bg);color:var(--ink);font:1rem/1.5 system-ui,sans-serif;overflow-wrap:break-word}
h1,h2,h3,p,ul,ol,dl,dd,figure,fieldset{margin:0;padding:0;border:0}
ul,ol{list-style:none}
h1{font-size:clamp(1.75rem,1.35rem + 1.8vw,2.5rem);line-height:1.12;letter-spacing:-.022em;text-wrap:balance}
h2{font-size:1.375rem;line-height:1.25}
h3,.h3{font-size:1.0625rem;line-height:1.35}
a{color:var(--accent);text-underline-offset:.18em;text-decoration-thickness:1px}
a:hover{text-decoration-thickness:2px}
:focus-visible,.week label:has(:focus-visible){outline:3px solid var(--accent);outline-offset:2px;border-radius:6px}
small,.soft{color:var(--soft);font-size:.875rem}h2 .soft{font-size:1rem;font-weight:400}
bdi{overflow-wrap:anywhere}
.num,td,.when,.slots,.soon{font-variant-numeric:tabular-nums}.num{white-space:nowrap}
.when{line-height:1.25;font-size:.875rem;color:var(--soft)}
.when>time{display:block;font-weight:700;font-size:1.1875rem;color:var(--ink)}
svg{display:block}
.i{width:1.25em;height:1.25em;flex:none;fill:none;stroke:currentColor;stroke-width:2;stroke-linecap:round;stroke-linejoin:round}
.vh{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%);white-space:nowrap}
.wrap{max-width:74rem;margin:auto;padding-inline:var(--pad)}
main>.wrap{padding-block:1.5rem 4rem}
.stack>*+*{margin-top:1rem}
.part{margin-top:2.5rem}
.head{display:flex;flex-wrap:wrap;gap:.5rem 1rem;align-items:baseline;justify-content:space-between;margin-bottom:.75rem}
.card,.rows{background:var(--card);border-radius:14px;box-shadow:var(--shade)}.card{padding:1.25rem}
.two{display:grid;gap:1.5rem;grid-template-columns:minmax(0,1fr)}
@media(width>=60rem){.two{grid-template-columns:minmax(0,1fr) 21rem;gap:2rem;align-items:start;--pad:.25rem}.stick{position:sticky;top:1rem}}
.skip{position:absolute;left:-99rem}.skip:focus{left:1rem;top:.5rem;z-index:9;background:var(--card);padding:.75rem 1rem}
.band{background:var(--hero);color:#fff}
.band :focus-visible{outline-color:var(--ball)}
.top{display:flex;align-items:center;gap:.25rem 1.25rem;min-height:3.75rem;padding-block:.5rem}
.top a{color:#fff;text-decoration:none;display:flex;gap:.5rem;align-items:center;min-height:2.75rem;white-space:nowrap}
.top [aria-current]{box-shadow:inset 0 -3px var(--ball)}
.nav{display:flex;gap:0 1.25rem}
.top .brand{white-space:normal;line-height:1.15;font-weight:700;font-size:1.0625rem;margin-right:auto}
.brand svg{width:1.75rem;height:1.75rem;flex:none}.brand img{height:2rem;width:auto}
.pill{background:var(--ball);color:#11142a;border-radius:1rem;padding:0 .5rem;font-weight:700;font-size:.8125rem}
@media(width<40rem){.wide{display:none!important}}@media(width>=60rem){.narrow{display:none!important}}
.btn,.go,.bare,.chip{display:inline-flex;align-items:center;font:inherit;text-decoration:none;cursor:pointer}
.btn,.go,.bare{justify-content:center;gap:.5rem;font-weight:650;line-height:1.2;min-height:2.75rem;padding:.5rem 1.125rem;border-radius:10px;border:1.5px solid var(--accent);background:var(--accent);color:var(--on)}
.btn:hover{filter:brightness(1.12)}
.btn.line{background:none;color:var(--accent);border-color:var(--edge)}
.full{width:100%}.btn.big{min-height:3.25rem;font-size:1.0625rem}
.go,.bare{background:none;border:0;color:var(--accent);padding:0}
.go{flex:none;width:2.75rem}
.go:hover{background:var(--wash)}
[aria-pressed=true] .plus{display:none}[data-add]:not([aria-pressed=true]) .tick{display:none}
.bare{padding-inline:.5rem;font-weight:400;text-decoration:underline}
.chips{display:flex;flex-wrap:wrap;gap:.5rem}
.chip{gap:.4rem;min-height:2.5rem;padding:.25rem .875rem;border-radius:1.5rem;border:1px solid var(--edge);background:var(--card);color:var(--ink);font-size:.9375rem}
.chip:hover{border-color:var(--accent);background:var(--wash)}
.chip[aria-current],.chip.on{background:var(--wash);border-color:var(--accent);color:var(--accent);font-weight:600}
.chip.fill,.go[aria-pressed=true]{background:var(--accent);border-color:var(--accent);color:var(--on);font-weight:600}.fill small,.band small{color:inherit}
.flag{display:inline-flex;flex-wrap:wrap;max-width:100%;align-items:center;gap:0 .3rem;font-size:.8125rem;font-weight:650;line-height:1.5;padding:.0625rem .5rem;border-radius:6px;white-space:nowrap;background:var(--line);color:var(--ink)}
.flag .i{width:1em;height:1em;stroke-width:2.5}
.bad{background:var(--red-w);color:var(--red)}.new{background:var(--amber-w);color:var(--amber)}.good{background:var(--green-w);color:var(--green)}
.scroll{position:relative;display:flex;gap:.5rem;overflow-x:auto;margin-inline:calc(-1*var(--pad));padding:.25rem var(--pad);scrollbar-width:thin;flex-wrap:nowrap}
.scroll>*{flex:none}
.t1{--h:var(--t1)}.t2{--h:var(--t2)}.t3{--h:var(--t3)}.t4{--h:var(--t4)}.t5{--h:var(--t5)}.t6{--h:var(--t6)}
input,select{font:inherit;color:inherit;background:var(--card);border:1px solid var(--edge);border-radius:9px;padding:.5rem .75rem;min-height:2.75rem;width:100%;accent-color:var(--accent)}
::placeholder{color:var(--soft);opacity:1}
.copy{display:flex;gap:.5rem;margin-block:.375rem}.copy label{flex:1}.copy input{font-size:.875rem}
[type=checkbox],[type=radio]{width:1.25rem;height:1.25rem;min-height:0;margin:0;flex:none}
.alert{background:var(--amber-w);color:var(--amber);padding:.625rem 0;font-weight:600}
[hidden]{display:none!important}
footer{border-top:1px solid var(--line);padding-block:1.75rem 3rem;color:var(--soft);font-size:.9375rem}
footer ul{display:flex;flex-wrap:wrap;gap:.25rem 1.25rem;margin-block:.75rem}footer ul a,summary{display:inline-block;padding-block:.375rem}summary{cursor:pointer}
@media(width<=16rem){html{--pad:.625rem;--in:.625rem}.card{padding:.75rem}.btn{padding-inline:.5rem}.top{flex-wrap:wrap}}
@media(prefers-reduced-motion:no-preference){html{scroll-behavior:smooth}[popover]:is(:popover-open,[open]){animation:up .18s ease-out}@keyframes up{from{translate:0 1.5rem;opacity:0}}}
@media(forced-colors:active){.card,.rows,.flag,.pill,.tray,.col,[popover],.days a{border:1px solid}a[aria-current],[aria-pressed=true],.on{outline:3px solid Highlight;outline-offset:1px}.state::before,.dot,.dots i,.key i,.month td>*{forced-color-adjust:none}}
@media screen{.onpaper{display:none}}
@media print{@page{size:A4;margin:10mm}html{font-size:10pt}body{background:#fff}.band,.tray,[popover],.noprint,.state,.narrow,.chips,.chip,footer ul,footer small,.btn,.go{display:none!important}main>.wrap,footer.wrap{padding:0;max-width:none}.card,.rows{box-shadow:none;padding:0;border:0!important}.two,.stack{display:block}a{color:inherit;text-decoration:none}.part{margin-top:1rem}li,dl,tr,.card{break-inside:avoid}h2,h3{break-after:avoid}[data-date]::before{content:attr(data-date)}*{print-color-adjust:exact}}`;

/** Tables, which scroll by themselves where letters are large. */
export const TABLES = `table{border-collapse:collapse;width:100%}th{text-align:left;font-weight:600}abbr{text-decoration:none}
caption{text-align:left;font-weight:650;padding-bottom:.5rem}
@media(width<=16rem){main table{display:block;position:relative;overflow-x:auto}}`;
