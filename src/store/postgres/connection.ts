import type { QueryArrayConfig, QueryArrayResult } from 'pg';
import type { Cells, Database, Insert, Select, Update, Value } from '../sql/database.ts';
import { type ColumnTypes, deletion, insertion, type Statement, selection, updating } from './row-statements.ts';
import { postgresText } from './translation.ts';
import { parameterOf, TYPES } from './values.ts';

/** What statements are sent to: a pool, or the one connection of a transaction. */
export interface Queryable {
  query(query: QueryArrayConfig): Promise<QueryArrayResult<unknown[]>>;
}

/** Each statement has one name, under which every connection prepares it once; there are as many as the program has. */
const prepared = new Map<string, { name: string; text: string }>();

function preparedOf(sql: string, isOfRows: boolean): { name: string; text: string } {
  let known = prepared.get(sql);
  if (known === undefined) {
    known = { name: `s${prepared.size}`, text: isOfRows ? sql : postgresText(sql) };
    prepared.set(sql, known);
  }
  return known;
}

/** Rows to one statement. */
const MOST_ROWS = 2000;

/** `types`: of the columns that are written. */
export class PostgresConnection implements Database {
  readonly #asked: Queryable;
  readonly #types: ColumnTypes;
  readonly #fault: (error: unknown) => unknown;
  readonly #onAnswer: () => void;
  /** Rows that were sent to be inserted. */
  inserted = 0;

  /** `fault` makes words of what the database says, before who asked hears it; `onAnswer` hears that it has answered. */
  constructor(
    asked: Queryable,
    types: ColumnTypes,
    fault: (error: unknown) => unknown,
    onAnswer: () => void = () => {},
  ) {
    this.#asked = asked;
    this.#types = types;
    this.#fault = fault;
    this.#onAnswer = onAnswer;
  }

  async all(sql: string, ...values: Value[]): Promise<Cells[]> {
    return this.#ask(preparedOf(sql, false), values.map(parameterOf));
  }

  async varied(sql: string, ...values: Value[]): Promise<Cells[]> {
    return this.#ask({ text: postgresText(sql) }, values.map(parameterOf));
  }

  async get(sql: string, ...values: Value[]): Promise<Cells | undefined> {
    return (await this.all(sql, ...values))[0];
  }

  async run(sql: string, ...values: Value[]): Promise<void> {
    await this.all(sql, ...values);
  }

  select(from: Select, keys: readonly Value[][]): Promise<Cells[]> {
    return this.#send(keys, (part) => selection(this.#types, from, part));
  }

  async insert(into: Insert, rows: readonly Value[][]): Promise<void> {
    await this.#send(rows, (part) => insertion(this.#types, into, part));
    this.inserted += rows.length;
  }

  async update(what: Update, rows: readonly Value[][]): Promise<void> {
    await this.#send(rows, (part) => updating(this.#types, what, part));
  }

  async delete(from: Pick<Update, 'table' | 'key'>, rows: readonly Value[][]): Promise<void> {
    await this.#send(rows, (part) => deletion(this.#types, from, part));
  }

  async #send(rows: readonly Value[][], statement: (part: readonly Value[][]) => Statement): Promise<Cells[]> {
    const found: Cells[][] = [];
    for (let at = 0; at < rows.length; at += MOST_ROWS) {
      const { sql, values } = statement(rows.slice(at, at + MOST_ROWS));
      found.push(await this.#ask(preparedOf(sql, true), values));
    }
    return found.flat();
  }

  async version(): Promise<string> {
    return String((await this.get('SELECT writes FROM store'))?.[0]);
  }

  async #ask(statement: { name?: string; text: string }, values: (string | Buffer | null)[]): Promise<Cells[]> {
    try {
      const { rows } = await this.#asked.query({ ...statement, values, rowMode: 'array', types: TYPES });
      this.#onAnswer();
      return rows as Cells[];
    } catch (error) {
      throw this.#fault(error);
    }
  }
}
