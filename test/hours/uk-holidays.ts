/** Bank holidays as gov.uk/bank-holidays lists them, with the weekend days they stand in for. Typed in by hand. */
const COMMON = [
  '2026-01-01',
  '2026-04-03',
  '2026-05-04',
  '2026-05-25',
  '2026-12-25',
  '2026-12-26',
  '2026-12-28',
  '2027-01-01',
  '2027-03-26',
  '2027-05-03',
  '2027-05-31',
  '2027-12-25',
  '2027-12-26',
  '2027-12-27',
  '2027-12-28',
  '2028-01-01',
];
const ENGLAND = [...COMMON, '2026-04-06', '2026-08-31', '2027-03-29', '2027-08-30'];

export const UK_HOLIDAYS: Record<'ENG' | 'WLS' | 'SCT' | 'NIR', readonly string[]> = {
  ENG: ENGLAND,
  WLS: ENGLAND,
  SCT: [...COMMON, '2026-01-02', '2026-08-03', '2026-11-30', '2027-01-02', '2027-01-04', '2027-08-02', '2027-11-30'],
  NIR: [...ENGLAND, '2026-03-17', '2026-07-12', '2026-07-13', '2027-03-17', '2027-07-12'],
};
