/**
 * The credit: the licence of open data (CC BY) demands the name of the publisher wherever the data is shown.
 */

export interface Credit {
  publisher?: string | undefined;
  publisherUrl?: string | undefined;
  license?: string | undefined;
}

const LICENSES: Record<string, string> = {
  'creativecommons.org/licenses/by/4.0': 'CC BY 4.0',
  'creativecommons.org/licenses/by/3.0': 'CC BY 3.0',
  'creativecommons.org/publicdomain/zero/1.0': 'CC0 1.0',
  'www.nationalarchives.gov.uk/doc/open-government-licence/version/3': 'OGL v3.0',
};

export function licenseName(address: string): string {
  return LICENSES[address.replace(/^https?:\/\//, '').replace(/\/(legalcode)?$/, '')] ?? address;
}

/**
 * One line: `Source: Example Leisure (https://example.org), CC BY 4.0`. `organizer` is named where the publisher has no
 * name; undefined without either name and without a licence.
 */
export function attribution(source: Credit, organizer: string | undefined): string | undefined {
  const name = source.publisher ?? organizer;
  const license = source.license === undefined ? undefined : licenseName(source.license);
  if (name === undefined) return license === undefined ? undefined : `Open data, ${license}`;
  const address = source.publisherUrl === undefined ? '' : ` (${source.publisherUrl})`;
  return `Source: ${name}${address}${license === undefined ? '' : `, ${license}`}`;
}
