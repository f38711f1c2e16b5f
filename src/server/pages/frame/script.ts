/**
 * What pages do better with JavaScript; without it they are complete. Entries of the list are kept in `localStorage.my`, a
 * JSON list, read again before each change: other tabs change it too. So no address has to carry a list (`my/carried.ts`).
 * `?subscribe` opens the sheet, but not over the question which list is that of this browser (`data-other`, `my/page.tsx`).
 * The position is asked for on a tap alone. A popover closes as the focus leaves it, which would go on behind it.
 */
export const SCRIPT =
  `(()=>{const d=document,$=(q,f)=>d.querySelectorAll(q).forEach(f),ua=navigator.userAgent,android=/Android/.test(ua),apple=/iPhone|iPad|Mac/.test(ua),
kind=apple?'apple':/Android|CrOS/.test(ua)?'google':/Windows/.test(ua)?'ms':'';
let set=new Set,h=d.URL.replace(/\\blist=[^&#]*/,'');h==d.URL||(location=h);
const make=(t,x='',c='')=>{const e=d.createElement(t);e.className=c;e.textContent=x;return e},read=()=>{try{set=new Set(JSON.parse(localStorage.my||'[]'))}catch{}},show=()=>{read();const n=set.size;$('[data-n]',e=>{e.hidden=!n;e.textContent=n});
$('.tray',e=>{e.hidden=!n;e.firstChild.textContent=n+' on my list'});
$('[data-add]',e=>{e.role='button';e.setAttribute('aria-pressed',set.has(e.dataset.add))})},
flip=(e,v)=>{e.preventDefault();const k=v.dataset.add;read();set.delete(k)||set.add(k);try{localStorage.my=JSON.stringify([...set])}catch{}show()};
onclick=e=>{const at=q=>e.target.closest(q),v=at('[data-add]'),c=at('[data-copy]'),m=at('[data-near]');
if(v)return flip(e,v);
if(c){const i=c.previousSibling,say=x=>{c.children[1].textContent=x||'Copy';c.nextSibling.textContent=x};i.select();navigator.clipboard?.writeText(i.value).then(()=>{say('Copied');setTimeout(say,5e3,'')})}
if(at('[data-print]'))print();
if(m){const i=m.previousSibling;navigator.geolocation.getCurrentPosition(({coords:p})=>{i.value=p.latitude.toFixed(3)+','+p.longitude.toFixed(3);i.form.requestSubmit()},()=>i.focus())}};
onkeydown=e=>{e.key==' '&&e.target.dataset.add&&flip(e,e.target)};
addEventListener('focusin',e=>$(':popover-open',s=>s.contains(e.target)||s.hidePopover()));
$('[data-copy],[data-near],[data-print]',e=>e.hidden=false);
$('dialog[data-cal]',s=>{const o=s.querySelector('.opts'),a=kind&&s.querySelector('[data-d='+kind+']');
if(a){o.prepend(a.parentNode);a.className='fit';a.querySelector('b').append(make('span','Usual on this device','flag good'))}
if(android&&navigator.share){const l=make('li'),b=make('button');b.append(a.firstElementChild.cloneNode(true),make('b','Send the address to my computer'),make('small','Open it there, and choose Google Calendar.'));
b.onclick=()=>navigator.share({url:s.dataset.page}).catch(()=>{});l.append(b);o.prepend(l)}});
if(/[?&]subscribe\\b/.test(location.search)&&!d.querySelector('[data-other]:not([hidden])'))d.querySelector('[data-cal]')?.showModal();
if(apple&&/Safari/.test(ua)&&!/Chrome|CriOS|FxiOS|EdgiOS/.test(ua))$('.btn[popovertarget^=sub]',b=>{const o=b.cloneNode();o.className='bare full';o.textContent='Google, Outlook or another calendar';b.after(o);
b.onclick=e=>{e.preventDefault();location=d.querySelector('#'+b.getAttribute('popovertarget')+' [data-d=apple]').href}});
$('a[data-geo]',a=>{const g=a.dataset.geo;if(apple)a.href='maps:?q='+g;else if(android)a.href='geo:'+g+'?q='+g});
$('.when>time:first-child',t=>{const m=Math.ceil((Date.parse(t.dateTime)-Date.now())/6e4);if(m>0&&m<60&&/T/.test(t.dateTime))t.parentNode.append(make('small',' in\u00a0'+m+'\u00a0min','noprint'))});
show();onstorage=onpageshow=show})();`.replaceAll('\n', '');
