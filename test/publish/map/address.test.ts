import { expect, test } from 'vitest';
import { addressParts } from '../../../src/publish/map/address.ts';

test.each<[string, object]>([
  [
    'Town Hall, 1 High St, Canterbury CT1 1AA, UK',
    { name: 'Town Hall', street: '1 High St', locality: 'Canterbury', postalCode: 'CT1 1AA', country: 'GB' },
  ],
  [
    'Town Hall\nUnit 2, 1 High St\nCanterbury\nct11aa',
    { name: 'Town Hall', street: 'Unit 2, 1 High St', locality: 'Canterbury', postalCode: 'CT1 1AA', country: 'GB' },
  ],
  ['Town Hall', { name: 'Town Hall', street: 'Town Hall' }],
  ['Town Hall, Canterbury CT1 1AA', { name: 'Town Hall', street: 'Town Hall, Canterbury CT1 1AA' }],
  ['Halle, Hauptstr. 1, 10115 Berlin', { name: 'Halle', street: 'Halle, Hauptstr. 1, 10115 Berlin' }],
  [' , ', { name: ',', street: ',' }],
])('%j', (text, parts) => {
  expect(addressParts(text)).toEqual(parts);
});
