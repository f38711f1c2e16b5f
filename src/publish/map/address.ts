/** The certain parts of an address in one text. */

/** Name first, then the rest; the parts of a British address where its postcode says which is which. */
interface StatedParts {
  name: string;
  street: string;
  locality?: string;
  postalCode?: string;
  country?: string;
}

const POSTCODE = /^(.*?)\s*\b([A-Z]{1,2}\d[A-Z\d]?) ?(\d[A-Z]{2})$/i;
const BRITAIN = /^(?:UK|U\.K\.|GB|United Kingdom|Great Britain|England|Scotland|Wales|Northern Ireland)$/i;

/**
 * `name, address` or a name on a line of its own.
 *
 * @example addressParts('Town Hall, 1 High St, Canterbury CT1 1AA, UK') // { name: 'Town Hall', street: '1 High St', … }
 */
export function addressParts(text: string): StatedParts {
  const parts = text
    .split(/\n|,/)
    .map((part) => part.trim())
    .filter((part) => part !== '');
  const [name = text.trim(), ...rest] = parts;
  const street = parts.join(', ') || text.trim();
  const whole = { name: name.slice(0, 300), street: street.slice(0, 300) };
  const named = BRITAIN.test(rest.at(-1) ?? '') ? rest.slice(0, -1) : rest;
  const [, town = '', outward, inward] = POSTCODE.exec(named.at(-1) ?? '') ?? [];
  if (outward === undefined || inward === undefined) return whole;
  const before = named.slice(0, -1);
  const locality = town || before.pop();
  if (locality === undefined || before.length === 0) return whole;
  const postalCode = `${outward} ${inward}`.toUpperCase();
  return { name: whole.name, street: before.join(', ').slice(0, 300), locality, postalCode, country: 'GB' };
}
