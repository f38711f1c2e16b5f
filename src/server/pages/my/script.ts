/**
 * The script of the page of a list. `localStorage.my` has the entries of this browser. `localStorage.list` has the stored list:
 * its token, its edit key, and its entries when this browser and the service last agreed. Entries that were added or removed
 * since are sent, so that changes from other devices stay. A browser with another list, or with entries that are not on this
 * one, keeps them until the person chooses this list.
 *
 * Other tabs change `my` at any time, so it is read anew before each use, and is always newer than a page. A page of this
 * browser's list that shows other entries is loaded again, once (`sessionStorage.sent`). `history.state` marks such a page,
 * because it is not copied with the address. `localStorage.made` has the entries that a page showed when Subscribe was pressed.
 */
export const MY_SCRIPT = `(()=>{const d=document,m=d.querySelector('[data-my]'),q=new URLSearchParams(location.search),
get=(k,o)=>{try{return JSON.parse(localStorage[k]||'')}catch{return o}},
put=(k,v)=>{try{localStorage[k]=JSON.stringify(v)}catch{}},
mine=()=>get('my',[]),less=(a,b)=>a.filter(t=>!b.includes(t)),
differ=(a,b)=>less(a,b).length+less(b,a).length,
since=(list,was,now)=>{const some=less(list,less(was,now));return some.concat(less(less(now,was),some))},
{base,token,key}=m.dataset,follows='mine' in m.dataset||!!(history.state||0).mine,made=get('made'),things=JSON.parse(m.dataset.my),
to=(name,all)=>all.map(t=>'&'+name+'='+encodeURIComponent(t)).join(''),
fresh=()=>{const all=mine();if(all.length)location.replace(base+'?mine=1'+to('add',all.slice(0,100)))},
send=(kept,failed)=>{const was=kept.was||[],now=mine();
fetch(base+'/'+kept.token,{method:'POST',headers:{'content-type':'application/json'},
body:JSON.stringify({edit:kept.edit,add:less(now,was),remove:less(was,now)})}).then(r=>{
if(r.ok)return r.json().then(l=>{put('my',since(l.things,now,mine()));put('list',{token:kept.token,edit:kept.edit,was:l.things});
location.replace(base+'/'+kept.token+'?edit='+encodeURIComponent(kept.edit))});
if(r.status===403||r.status===404)delete localStorage.list;failed()}).catch(failed)};
try{delete localStorage.made}catch{}
const kept=get('list'),other=token&&key&&!made&&(kept?kept.token!==token:less(mine(),things).length);
if(other){const p=m.querySelector('[data-other]');p.hidden=false;
p.querySelector('button').onclick=()=>{put('my',things);put('list',{token,edit:key,was:things});location.reload()}}
else if(token&&key){const was=kept&&kept.token===token?kept.was:made,now=mine(),list=was?since(things,was,now):things;
put('my',list);put('list',{token,edit:key,was:things});
if(differ(list,things))send({token,edit:key,was:things},()=>{})}
else if(follows){const now=mine(),all=JSON.stringify(now);let sent;try{sent=sessionStorage.sent}catch{}
if(now.length&&differ(now,things)&&sent!==all){try{sessionStorage.sent=all;
q.delete('token');q.set('mine','1');location.replace(base+'?'+q+to('add',now.slice(0,100)))}catch{}}
else{try{delete sessionStorage.sent}catch{}put('my',things);
q.delete('mine');history.replaceState({mine:1},'',base+'?'+q);
for(const form of m.querySelectorAll('form:not([method=post])'))if(!form.elements.mine){const i=d.createElement('input');i.type='hidden';i.name='mine';i.value='1';form.append(i)}}
m.addEventListener('click',e=>{const b=e.target.closest('[name=remove],[name=add]');if(b)put('my',less(mine(),[b.value]).concat(b.name==='add'?b.value:[]))});
m.addEventListener('submit',e=>{if(e.target.method==='post')put('made',things)})}
else if(!token&&!q.has('token')&&!q.has('add')){if(kept)send(kept,fresh);else fresh()}
const again=()=>{if(!d.hidden&&(follows||key&&!other)&&differ(mine(),things))location.reload()};
d.addEventListener('visibilitychange',again);addEventListener('pageshow',e=>{if(e.persisted)again()});
for(const a of d.links)if(a.origin===location.origin){if(a.closest('.nav')&&a.pathname===base)a.href=base;
if(/[?&]list=/.test(a.search))a.href=a.href.replace(/[?&]list=[^&#]*/,'')}})();`;
