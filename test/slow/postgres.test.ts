import { describe } from 'vitest';
import { openPostgres } from '../../src/store/postgres/store.ts';
import { storeContract } from '../store/contract.ts';
import { testDatabase } from '../store/postgres.ts';
import { searchContract } from '../store/search-contract.ts';

/** PostgreSQL behind the contract of every store. */

async function postgresUnderTest() {
  const database = await testDatabase();
  return {
    open: () => openPostgres(database.url),
    destroy: () => database.drop(),
  };
}

describe('PostgreSQL', () => {
  storeContract(postgresUnderTest);
  searchContract(postgresUnderTest);
});
