import { counted, type Facets } from '../../../library/index.ts';
import { DAY_NAMES, DEFAULT_WITHIN, type FilterName, type Filters } from '../../../search/filters.ts';
import { isWritable, queryOf, writable } from '../../../search/query.ts';
import type { Understood } from '../../../search/words.ts';
import { WEEKDAYS } from '../../../time/days.ts';
import { timeText } from '../../../time/iso-text.ts';
import { MODEL_LEVELS } from '../../../vocabulary/shipped.ts';
import { CarriedField } from '../frame/band.tsx';
import { Icon } from '../frame/icons.tsx';
import type { Markup, Piece } from '../frame/markup.tsx';
import type { Site } from '../frame/site.ts';
import { countWords } from '../wording.ts';
import { kmWords, plainWords } from './filter-words.ts';
import { inForm } from './typed.ts';

/** The filter panel: a column on wide screens, a sheet on phones; a form, complete without JavaScript. */

/**
 * A form that is submitted takes along words that were typed into the search fields and not yet submitted. Where the panel is
 * a column, a choice with a pointer submits at once; with keys, which move through the choices, the button is shown instead. A
 * page from the browser's back/forward cache resets the form to the filters in force.
 */
export const PANEL_SCRIPT = `(d=>{const f=d.querySelector('#filters form'),w=matchMedia('(min-width:60rem)');let p;
d.addEventListener('submit',e=>{if(e.target==f)for(const i of d.querySelectorAll('.find input[id]'))
if(i.value!==i.defaultValue){f[i.name]?.remove();f.append(Object.assign(i.cloneNode(),{id:'',type:'hidden'}))}});
addEventListener('pageshow',e=>{e.persisted&&f.reset()});
if(f.closest('.left')){f.className='at-once';d.addEventListener('pointerdown',()=>{p=1});d.addEventListener('keydown',()=>{p=0});
f.addEventListener('change',()=>{if(!p)f.className='';else if(w.matches)f.requestSubmit()})}})(document);`;

interface PanelOptions {
  site: Site;
  filters: Filters;
  understood: Understood | undefined;
  facets: Facets;
  /** The number of sessions; undefined where they were not counted to the end. */
  total: number | undefined;
  /** Whether the panel is a sheet on wide screens too, as in the week view. */
  isSheet: boolean;
}

/** The legend of each group of fields, in their order. */
const GROUPS = {
  days: 'Days',
  times: 'Time of day',
  price: 'Price',
  distance: <label for="within">Distance</label>,
  activity: 'Activity',
  place: 'Place',
  whom: 'For whom',
} as const satisfies Record<string, Piece>;

type Asked = Pick<PanelOptions, 'filters' | 'facets'>;

interface Field {
  group: keyof typeof GROUPS;
  /** Absent: the field of another filter shows this one too. */
  show?: (asked: Asked) => Markup | null;
}

/** The field of each filter. A filter that is `passed on` is a hidden field of the form. */
const FIELDS: Readonly<Record<FilterName, Field | 'passed on'>> = {
  q: 'passed on',
  near: 'passed on',
  from: 'passed on',
  to: 'passed on',
  series: 'passed on',
  organizer: 'passed on',
  cancelled: 'passed on',
  day: { group: 'days', show: Days },
  after: { group: 'times', show: Times },
  before: { group: 'times' },
  maxPrice: { group: 'price', show: Price },
  free: { group: 'price' },
  within: { group: 'distance', show: Distance },
  activity: { group: 'activity', show: Activities },
  place: { group: 'place', show: Places },
  age: { group: 'whom', show: Ages },
  level: { group: 'whom', show: Levels },
  gender: { group: 'whom', show: Genders },
  accessible: { group: 'whom', show: Support },
  online: { group: 'whom', show: Online },
};
const SHOWN_FIELDS = (Object.keys(FIELDS) as FilterName[]).filter((name) => FIELDS[name] !== 'passed on');

/** The panel with the filters of the address and of the words. */
export function FilterPanel({ site, filters: named, understood, facets, total, isSheet }: PanelOptions): Markup {
  const filters = inForm(named, understood, SHOWN_FIELDS);
  const kept = [...new URLSearchParams(queryOf(writable(filters)))].filter(
    ([name]) => !SHOWN_FIELDS.includes(name as FilterName),
  );
  const show = total === undefined ? 'Show sessions' : `Show ${counted(total, 'session')}`;
  return (
    <section id="filters" popover="auto" aria-label="Filters">
      <form action={site.links.path('/search')} autocomplete="off">
        <div class="head">
          <b class="h2">Filters</b>
          <button class={isSheet ? 'go' : 'go narrow'} type="button" popovertarget="filters" popovertargetaction="hide">
            <Icon name="cross" />
            <span class="vh">Close</span>
          </button>
        </div>
        {kept.map(([name, value]) => (
          <input type="hidden" name={name} value={value} />
        ))}
        {isSheet ? <input type="hidden" name="view" value="week" /> : null}
        <CarriedField site={site} />
        {(Object.keys(GROUPS) as (keyof typeof GROUPS)[]).map((group) => (
          <Fields group={group} asked={{ filters, facets }} />
        ))}
        <p class="apply">
          <button class="btn full" type="submit">
            {show}
          </button>
        </p>
      </form>
    </section>
  );
}

function Fields({ group, asked }: { group: keyof typeof GROUPS; asked: Asked }): Markup | null {
  const fields = Object.values(FIELDS).flatMap((field) =>
    field !== 'passed on' && field.group === group ? (field.show?.(asked) ?? []) : [],
  );
  if (fields.length === 0) return null;
  return (
    <fieldset>
      <legend>{GROUPS[group]}</legend>
      {fields}
    </fieldset>
  );
}

function Days({ filters: { day = [] } }: Asked): Markup {
  return (
    <div class="week">
      {DAY_NAMES.map((name, weekday) => (
        <label>
          <input
            type="checkbox"
            name="day"
            value={name}
            aria-label={WEEKDAYS[weekday]}
            checked={day.some((one) => one === weekday)}
          />
          <span aria-hidden="true">{WEEKDAYS[weekday]?.slice(0, 2)}</span>
        </label>
      ))}
    </div>
  );
}

const TIMES = [7, 9, 12, 17, 18, 20].map((hour) => hour * 3600);

function Times({ filters }: Asked): Markup {
  return (
    <p class="copy">
      <TimeChoice label="After" name="after" chosen={filters.after} />
      <TimeChoice label="Before" name="before" chosen={filters.before} />
    </p>
  );
}

function TimeChoice({ label, name, chosen }: { label: string; name: string; chosen: number | undefined }): Markup {
  const times = chosen === undefined || TIMES.includes(chosen) ? TIMES : [...TIMES, chosen].sort((a, b) => a - b);
  return (
    <label>
      {label}
      <select name={name}>
        <option value="">Any</option>
        {times.map((time) => (
          <option value={timeText(time)} selected={time === chosen}>
            {timeText(time)}
          </option>
        ))}
      </select>
    </label>
  );
}

const PRICES: readonly (readonly [value: number | undefined, words: string])[] = [
  [undefined, 'Any price'],
  [0, 'Free'],
  [5, 'Up to £5'],
  [8, 'Up to £8'],
  [15, 'Up to £15'],
];

function Price({ filters }: Asked): Markup {
  const chosen = filters.free ? 0 : filters.maxPrice;
  const isListed = PRICES.some(([value]) => value === chosen);
  const prices = isListed ? PRICES : [...PRICES, [chosen, plainWords({ maxPrice: chosen ?? 0 })] as const];
  return (
    <>
      {prices.map(([value, words]) => (
        <label class="opt">
          <input type="radio" name="maxPrice" value={value ?? ''} checked={value === chosen} />
          {words}
        </label>
      ))}
    </>
  );
}

const DISTANCES = [2, 5, 10, 25, 50];

function Distance({ filters: { near, within = DEFAULT_WITHIN } }: Asked): Markup | null {
  if (near === undefined) return null;
  const all = DISTANCES.includes(within) ? DISTANCES : [...DISTANCES, within].sort((a, b) => a - b);
  return (
    <select id="within" name="within">
      {all.map((km) => (
        <option value={km} selected={km === within}>
          Up to {kmWords(km)}
        </option>
      ))}
    </select>
  );
}

interface Option {
  value: string;
  name: string;
  count?: number;
  /** There may be more than were counted. */
  isLeast?: boolean;
}

function Activities({ filters, facets: { activity, whole } }: Asked): Markup | null {
  const options = activity.map(({ name, count }) => ({ value: name, name, count, isLeast: !whole }));
  return countedChoices({ name: 'activity', chosen: filters.activity ?? [], options });
}

function Places({ filters, facets: { place, whole } }: Asked): Markup | null {
  const options = place.map(({ key, name, count }) => {
    return { value: key, name: name || 'A place without a name', count, isLeast: !whole };
  });
  return countedChoices({ name: 'place', chosen: filters.place ?? [], options });
}

/** The most choices that are shown at once. */
const SHOWN = 8;

interface CountedOptions {
  name: 'activity' | 'place';
  chosen: readonly string[];
  options: readonly Option[];
}

/** Choices with the number of their sessions. A choice without sessions is left out unless it is chosen. */
function countedChoices({ name, chosen, options }: CountedOptions): Markup | null {
  const isChosen = ({ value, name: shown }: Option) => chosen.includes(value) || chosen.includes(shown);
  const absent = chosen
    .filter((value) => !options.some((one) => one.value === value || one.name === value))
    .map((value): Option => ({ value, name: value }));
  const offered = options.filter(
    (one) => ((one.count ?? 0) > 0 && isWritable({ [name]: [one.value] })) || isChosen(one),
  );
  const listed = [...absent, ...offered];
  if (listed.length === 0) return null;
  const inOrder = [...listed.filter(isChosen), ...listed.filter((one) => !isChosen(one))];
  const choices = inOrder.map((one) => <Choice name={name} option={one} isChosen={isChosen(one)} />);
  return (
    <>
      {choices.slice(0, SHOWN)}
      {choices.length > SHOWN ? (
        <details>
          <summary>Show all</summary>
          {choices.slice(SHOWN)}
        </details>
      ) : null}
    </>
  );
}

function Choice({ name, option, isChosen }: { name: string; option: Option; isChosen: boolean }): Markup {
  return (
    <label class="opt">
      <input type="checkbox" name={name} value={option.value} checked={isChosen} />
      <bdi>{option.name}</bdi>
      {option.count === undefined ? null : <small class="num">{countWords(option.count, option.isLeast)}</small>}
    </label>
  );
}

const AGE_GROUPS: readonly (readonly [value: string, words: string])[] = [
  ['0-4', 'Under 5'],
  ['5-11', '5 to 11'],
  ['12-17', '12 to 17'],
  ['18-', '18 and over'],
  ['60-', 'Over 60'],
];

function Levels({ filters: { level = [] } }: Asked): Markup {
  const others = level.filter((one) => !MODEL_LEVELS.includes(one));
  return (
    <>
      {[...MODEL_LEVELS, ...others].map((name) => (
        <Choice name="level" option={{ value: name, name }} isChosen={level.includes(name)} />
      ))}
    </>
  );
}

function Genders({ filters: { gender } }: Asked): Markup {
  return (
    <>
      <Choice name="gender" option={{ value: 'female', name: 'Women only' }} isChosen={gender === 'FemaleOnly'} />
      {gender === 'MaleOnly' ? <Choice name="gender" option={{ value: 'male', name: 'Men only' }} isChosen /> : null}
      {gender === 'NoRestriction' ? (
        <Choice name="gender" option={{ value: 'all', name: 'Not for one gender' }} isChosen />
      ) : null}
    </>
  );
}

function Support({ filters: { accessible = [] } }: Asked): Markup {
  return (
    <>
      {accessible.map((name) =>
        name === 'any' ? null : <Choice name="accessible" option={{ value: name, name }} isChosen />,
      )}
      <Choice name="accessible" option={{ value: 'any', name: 'Accessible' }} isChosen={accessible.includes('any')} />
    </>
  );
}

function Online({ filters: { online } }: Asked): Markup {
  return <Choice name="online" option={{ value: '1', name: 'Online' }} isChosen={online === true} />;
}

function Ages({ filters: { age } }: Asked): Markup {
  const own = age === undefined ? {} : { age };
  const [, chosen = ''] = /age=([^&]*)/.exec(queryOf(own)) ?? [];
  const isListed = chosen === '' || AGE_GROUPS.some(([value]) => value === chosen);
  const groups = isListed ? AGE_GROUPS : [...AGE_GROUPS, [chosen, plainWords(own)] as const];
  return (
    <label>
      <span class="vh">Age</span>
      <select name="age">
        <option value="">Any age</option>
        {groups.map(([value, words]) => (
          <option value={value} selected={value === chosen}>
            {words}
          </option>
        ))}
      </select>
    </label>
  );
}
