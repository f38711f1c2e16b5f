/**
 * What the page of a list does with JavaScript. `localStorage.my` is the list of this browser, `localStorage.list` the kept
 * one: its token, its edit key, and what it held when this browser and the service last agreed. What was added or taken off
 * since is sent, so that another device's changes stay. Text between the lines is data of the page, and escaped in it.
 */
export const MY_SCRIPT = `(()=>{const d=document,m=d.querySelector('[data-my]'),q=new URLSearchParams(location.search),
get=(k,o)=>{try{return JSON.parse(localStorage[k]||'')}catch{return o}},
put=(k,v)=>{try{localStorage[k]=JSON.stringify(v)}catch{}},
mine=get('my',[]),
kept=get('list'),base=m.dataset.base,
things=JSON.parse(m.dataset.my),key=q.get('edit'),token=m.dataset.token;
const fresh=()=>{if(mine.length)location.replace(base+'?mine=1&'+mine.slice(0,100).map(t=>'add='+encodeURIComponent(t)).join('&'))};
if(token&&key){put('my',things);put('list',{token,edit:key,was:things})}
else if(q.get('mine')==='1')put('my',things);
else if(!token&&!q.has('token')&&!q.has('add')){if(!kept)fresh();
else{const was=kept.was||[],add=mine.filter(t=>!was.includes(t)),
remove=was.filter(t=>!mine.includes(t));
fetch(base+'/'+kept.token,{method:'POST',headers:{'content-type':'application/json'},
body:JSON.stringify({edit:kept.edit,add,remove})}).then(r=>{
if(r.ok)location.replace(base+'/'+kept.token+'?edit='+encodeURIComponent(kept.edit));

else if(r.status===403||r.status===404){delete localStorage.list;fresh()}else fresh()},fresh)}}})();`;
