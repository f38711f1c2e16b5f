/** The table of `src/validate/model-table.ts`, made from the official data models (MIT), which the validator brings along. */

import { createRequire } from 'node:module';

interface Field {
  fieldName: string;
  model?: string;
  requiredType?: string;
  alternativeModels?: string[];
  alternativeTypes?: string[];
  allowReferencing?: boolean;
  minValueInclusive?: number;
  options?: string[];
}

interface Configuration {
  requiredFields?: string[];
  requiredOptions?: { options: string[] }[];
  shallNotInclude?: string[];
}

interface Model extends Configuration {
  type: string;
  subClassGraph?: string[];
  notInSpec?: string[];
  validationMode?: Record<string, string>;
  imperativeConfiguration?: Record<string, Configuration>;
  imperativeConfigurationWithContext?: Record<string, Record<string, Configuration>>;
  fields: Record<string, Field>;
}

const local = createRequire(import.meta.url);
const data = createRequire(local.resolve('@openactive/data-model-validator'))('@openactive/data-models') as {
  loadModel(name: string, version: string): Model;
  getEnums(version: string): Record<string, { namespace: string; values: string[] }>;
};

/** What calendars are made of; whatever hangs on it is found from there. Orders and bookings are another matter. */
const ROOTS = `Event SessionSeries ScheduledSession HeadlineEvent CourseInstance EventSeries Course OnDemandEvent
  FacilityUse IndividualFacilityUse Slot Place SportsActivityLocation PartialSchedule VirtualLocation
  ChangingFacilities Creche Lockers Parking Showers Toilets Towels BabyChanging PrivacyPolicy TermsOfUse`.split(/\s+/);
const LEFT_OUT = new Set([
  'Order',
  'OrderItem',
  'Action',
  'Payment',
  'OpenBookingError',
  'CustomerAccount',
  'Entitlement',
]);

export function modelTable(): string {
  const models = reachable();
  const used = new Set<string>();
  const blocks = [...models]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, model]) => blockOf(name, model, models, used));
  const enums = Object.entries(data.getEnums('2.x')).filter(([name]) => used.has(name));
  const lists = enums.map(([name, { namespace, values }]) => `${name} ${namespace}: ${values.join(' ')}`);
  const types = data.loadModel('Schedule', '2.x').fields.scheduledEventType?.options ?? [];
  lists.push(`ScheduledEventType : ${types.join(' ')}`);
  return [...blocks, 'enums', ...lists.map((line) => `  ${line}`)].join('\n');
}

function load(name: string): Model | undefined {
  try {
    return data.loadModel(name, '2.x');
  } catch {
    return undefined;
  }
}

function reachable(): Map<string, Model> {
  const found = new Map<string, Model>();
  const todo = [...ROOTS];
  for (let name = todo.pop(); name !== undefined; name = todo.pop()) {
    const model = found.has(name) || LEFT_OUT.has(name) ? undefined : load(name);
    if (model === undefined) continue;
    found.set(name, model);
    for (const field of Object.values(model.fields))
      todo.push(...kinds(field).map((kind) => kind.replace(/^(?:ArrayOf)?#/, '')));
  }
  return found;
}

function kinds({ model, requiredType, alternativeModels = [], alternativeTypes = [] }: Field): string[] {
  return [model, requiredType, ...alternativeModels, ...alternativeTypes].filter((kind) => kind !== undefined);
}

const named = (field: string) => (field === 'id' || field === 'type' ? `@${field}` : field);

function blockOf(name: string, model: Model, models: ReadonlyMap<string, Model>, used: Set<string>): string {
  const parent = model.subClassGraph?.[0]?.slice(1);
  const above = parent === undefined ? undefined : models.get(parent);
  const lines = [above === undefined ? name : `${name} < ${parent}`];
  const mode = model.validationMode?.RPDEFeed ?? '';
  const own = model.imperativeConfiguration?.[mode];
  const say = (word: string, fields: readonly string[]) => {
    if (fields.length > 0) lines.push(`  ${word}: ${fields.map(named).join(' ')}`);
  };
  say('must', own?.requiredFields ?? model.requiredFields ?? []);
  for (const { options } of own?.requiredOptions ?? model.requiredOptions ?? []) say('any', options);
  say('never', [...new Set([...(own?.shallNotInclude ?? model.shallNotInclude ?? []), ...(model.notInSpec ?? [])])]);
  for (const [field, { requiredFields }] of Object.entries(model.imperativeConfigurationWithContext?.[mode] ?? {})) {
    say(`in ${field} must`, requiredFields ?? []);
  }
  const groups = new Map<string, string[]>();
  for (const [field, one] of Object.entries(model.fields)) {
    const type = typesOf(one, used);
    if (field === 'type' || (above?.fields[field] !== undefined && typesOf(above.fields[field], used) === type))
      continue;
    groups.set(type, [...(groups.get(type) ?? []), field]);
  }
  for (const [type, fields] of groups) say(`= ${type}`, fields);
  return lines.join('\n');
}

/** `Text|Concept[]`; `&`: a reference will do; `>0`: the least value. */
function typesOf(field: Field, used: Set<string>): string {
  const types = field.options === undefined ? kinds(field).map(typeName) : ['ScheduledEventType'];
  for (const type of types) used.add(type.replace('[]', ''));
  const least = field.minValueInclusive === undefined ? '' : `>${field.minValueInclusive}`;
  return `${types.join('|')}${field.allowReferencing ? '&' : ''}${least}`;
}

function typeName(kind: string): string {
  const bare = kind.replace(/^ArrayOf/, '').replace(/^#/, '');
  const name = bare.slice(Math.max(bare.lastIndexOf('/'), bare.lastIndexOf('#')) + 1);
  return kind.startsWith('ArrayOf') ? `${name}[]` : name;
}
