import type { SearchDocument } from '../search/document.ts';
import type { DocumentRow } from './contract/index.ts';
import { storedTerms } from './sql/search/stored-terms.ts';
import { keyTerms } from './sql/search/terms.ts';

export { addedTerms } from './sql/search/added-terms.ts';

/**
 * A document as the rows of the index have it. Pure, so that the thread that reads pages can make it.
 *
 * @example documentRow(searchDocument(details, undefined, currentVocabularies())).terms.split('\n')[0] // ' hatha yoga '
 */
export function documentRow(document: SearchDocument): DocumentRow {
  const { fields, words, age, gender, latitude, longitude, zone, online } = document;
  return {
    terms: storedTerms(fields, keyTerms(document).join(' ')),
    words: words.join(' '),
    zone,
    latitude,
    longitude,
    ageMin: age?.min,
    ageMax: age?.max,
    gender,
    price: lowestPrice(document),
    online,
  };
}

function lowestPrice({ offers, prices }: SearchDocument): number | undefined {
  if (offers.includes('free')) return 0;
  return prices.length === 0 ? undefined : Math.min(...prices.map(({ min }) => min));
}
