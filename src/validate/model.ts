import { MODEL_TABLE } from './model-table.ts';

interface ValueKind {
  /** The name of a type, an enumeration, or `Text`, `URL`, `Integer` … */
  name: string;
  array: boolean;
}

export interface Property {
  kinds: ValueKind[];
  /** An `@id` instead of the object will do. */
  reference: boolean;
  least?: number;
}

/** A type of the data model, with the properties of its parents. */
export interface ModelType {
  name: string;
  parent?: string;
  must: string[];
  /** Lists of properties; one of each list is required. */
  any: string[][];
  never: Set<string>;
  /** The properties required instead of `must` where the object is the value of a property, by that property. */
  mustIn: Map<string, string[]>;
  properties: Map<string, Property>;
}

export interface DataModel {
  types: ReadonlyMap<string, ModelType>;
  /** Enumeration → its values in full. */
  enums: ReadonlyMap<string, ReadonlySet<string>>;
}

let read: DataModel | undefined;

/** The data model, read from its table at the first use. */
export function dataModel(): DataModel {
  read ??= parse(MODEL_TABLE);
  return read;
}

function parse(table: string): DataModel {
  const types = new Map<string, ModelType>();
  const enums = new Map<string, ReadonlySet<string>>();
  let type: ModelType | undefined;
  for (const line of table.split('\n')) {
    if (line === '') continue;
    if (line === 'enums') type = undefined;
    else if (!line.startsWith(' ')) {
      const [name = '', parent] = line.split(' < ');
      type = { name, must: [], any: [], never: new Set(), mustIn: new Map(), properties: new Map() };
      if (parent !== undefined) type.parent = parent;
      types.set(name, type);
    } else if (type === undefined) addEnum(enums, line.trim());
    else addLine(type, line.trim());
  }
  for (const one of types.values()) one.properties = withParents(one, types);
  return { types, enums };
}

function addEnum(enums: Map<string, ReadonlySet<string>>, line: string): void {
  const [, name = '', base = '', values = ''] = /^(\S+) (\S*): (.*)$/.exec(line) ?? [];
  enums.set(name, new Set(values.split(' ').map((value) => base + value)));
}

function addLine(type: ModelType, line: string): void {
  const [, word = '', about, list = ''] = /^(must|any|never|in|=)(?: (\S+)(?: must)?)?: (.*)$/.exec(line) ?? [];
  const names = list.split(' ');
  if (word === 'must') type.must = names;
  else if (word === 'any') type.any.push(names);
  else if (word === 'never') type.never = new Set(names);
  else if (word === 'in') type.mustIn.set(about as string, names);
  else for (const name of names) type.properties.set(name, propertyOf(about as string));
}

/** `Text|Concept[]&>0` */
function propertyOf(text: string): Property {
  const [, kinds = '', reference, least] = /^([^&>]+)(&)?(?:>(\d+))?$/.exec(text) ?? [];
  return {
    kinds: kinds.split('|').map((kind) => ({ name: kind.replace('[]', ''), array: kind.endsWith('[]') })),
    reference: reference !== undefined,
    ...(least !== undefined && { least: Number(least) }),
  };
}

/** The properties of a type over those of its parents. */
function withParents({ parent, properties }: ModelType, types: ReadonlyMap<string, ModelType>): Map<string, Property> {
  const above = parent === undefined ? undefined : types.get(parent);
  return above === undefined ? properties : new Map([...withParents(above, types), ...properties]);
}

/** Whether a type is another or a subtype of it. */
export function isA(model: DataModel, name: string, wanted: string): boolean {
  for (let at: string | undefined = name; at !== undefined; at = model.types.get(at)?.parent) {
    if (at === wanted) return true;
  }
  return false;
}
