import type { VenuePage } from '../../../library/index.ts';
import { Icon } from '../frame/icons.tsx';
import type { Markup } from '../frame/markup.tsx';
import { mapAddress, TelChip } from '../parts.tsx';

/** The links of a venue to a map and to its telephone. */

export function Chips({ venue }: { venue: Pick<VenuePage, 'latitude' | 'longitude' | 'telephone'> }): Markup | null {
  const { latitude, longitude, telephone } = venue;
  const at = latitude === undefined || longitude === undefined ? undefined : { latitude, longitude };
  if (at === undefined && telephone === undefined) return null;
  return (
    <p class="chips noprint">
      {at === undefined ? null : (
        <a
          class="chip"
          href={mapAddress(at.latitude, at.longitude)}
          data-geo={`${at.latitude},${at.longitude}`}
          rel="noopener noreferrer nofollow"
        >
          <Icon name="pin" />
          Map
        </a>
      )}
      <TelChip telephone={telephone} />
    </p>
  );
}
