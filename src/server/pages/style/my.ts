/** `/my`: the entries of a list, its settings, and its next dates. */

export const MY = `.lead{font-size:1.1875rem;margin:.5rem 0 1.5rem}
.pick{display:flex;gap:1rem;align-items:center;justify-content:space-between;padding:.75rem .75rem .75rem 1rem}
.pick>div{min-width:0;border-left:4px solid var(--h,var(--edge));border-radius:2px;padding-left:.75rem}
.pick+.pick{border-top:1px solid var(--line)}
.undo{display:flex;flex-wrap:wrap;gap:.5rem 1rem;align-items:center;margin-bottom:1rem}
.set{display:grid;gap:.5rem}
.set label{font-weight:600}
.set .opt{display:flex;gap:.625rem;align-items:center;font-weight:400;min-height:2.5rem}
.set .btn{justify-self:start}
.side>label{display:block}
.mine>.part{margin-top:.5rem}
@media(width>=60rem){.mine{grid-template-rows:auto 1fr}.mine>.side{grid-area:1/2/3}.mine>.part{grid-column:1}}
.pre{display:grid;gap:0 .75rem;grid-template-columns:7rem 7.5rem minmax(0,1fr);padding:.625rem 1rem}
.pre .num{white-space:normal}
.pre+.pre{border-top:1px solid var(--line)}
.pre.off .name{
text-decoration:line-through;color:var(--soft)
}
@media(width<40rem){
.pre{grid-template-columns:7rem minmax(0,1fr)}
.pre .what{grid-column:2}
}`;
