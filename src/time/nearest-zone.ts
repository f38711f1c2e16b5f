import { isTypingError, nearest } from '../nearest.ts';

/**
 * The IANA zone that a misspelt name most likely means; undefined: none is near. A city alone means its zone. Pure.
 *
 * @example nearestZone('Europe/Lodnon') // 'Europe/London'
 * @example nearestZone('london') // 'Europe/London'
 */
export function nearestZone(text: string): string | undefined {
  const zones = Intl.supportedValuesOf('timeZone');
  if (/^[+\-\d]/.test(text)) return undefined;
  const city = folded(text);
  const cityOf = (name: string): string => folded(name.slice(name.lastIndexOf('/') + 1));
  return (
    zones.find((name) => cityOf(name) === city) ??
    zones.find((name) => isTypingError(city, cityOf(name))) ??
    nearest(text, zones)
  );
}

const folded = (name: string): string => name.toLowerCase().replaceAll(/[ _-]/g, '');
