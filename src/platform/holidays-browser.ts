import Holidays from '#date-holidays';

/** date-holidays, as a part of the bundle: nothing can be loaded later without waiting for it. */
export function holidayLibrary(): typeof Holidays {
  return Holidays;
}
