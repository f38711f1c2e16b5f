/** Positions on the globe, and the distance between two. */

/** A position in degrees. */
export interface Position {
  latitude: number;
  longitude: number;
}

/** The mean radius of the globe: distances on this sphere are within 0.6 % of those on the ellipsoid. */
export const RADIUS_KM = 6371.0088;
const RADIAN = Math.PI / 180;

/**
 * Kilometres on the globe, by the haversine formula. Pure.
 *
 * @example kilometresBetween({ latitude: 51.5, longitude: 0 }, { latitude: 52.5, longitude: 0 }) // 111.195…
 */
export function kilometresBetween(a: Position, b: Position): number {
  const across = Math.sin(((b.longitude - a.longitude) * RADIAN) / 2) ** 2;
  const up = Math.sin(((b.latitude - a.latitude) * RADIAN) / 2) ** 2;
  const share = up + Math.cos(a.latitude * RADIAN) * Math.cos(b.latitude * RADIAN) * across;
  return 2 * RADIUS_KM * Math.asin(Math.min(1, Math.sqrt(share)));
}
