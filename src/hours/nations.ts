import { countryKey } from '../time/countries.ts';

/** The four nations of the United Kingdom have bank holidays of their own. ISO 3166-2:GB codes. */
export type Nation = 'ENG' | 'SCT' | 'WLS' | 'NIR';

/** Nations, and their council areas and counties as addresses name them. All other parts of the UK are England. */
const REGIONS: Record<Nation, string> = {
  ENG: 'england',
  SCT: `scotland, alba, aberdeen, aberdeen city, aberdeenshire, angus, argyll and bute, ayrshire, clackmannanshire,
    dumfries and galloway, dundee, dundee city, east ayrshire, east dunbartonshire, east lothian, east renfrewshire,
    edinburgh, city of edinburgh, eilean siar, na h eileanan siar, western isles, outer hebrides, falkirk, fife, glasgow,
    glasgow city, highland, inverclyde, lanarkshire, lothian, midlothian, moray, north ayrshire, north lanarkshire,
    orkney, orkney islands, perth and kinross, renfrewshire, scottish borders, shetland, shetland islands, south ayrshire,
    south lanarkshire, stirling, west dunbartonshire, west lothian`,
  WLS: `wales, cymru, anglesey, isle of anglesey, blaenau gwent, bridgend, caerphilly, cardiff, carmarthenshire,
    ceredigion, clwyd, conwy, denbighshire, dyfed, flintshire, glamorgan, gwent, gwynedd, merthyr tydfil, mid glamorgan,
    monmouthshire, neath port talbot, pembrokeshire, powys, rhondda cynon taf, south glamorgan, swansea, torfaen,
    vale of glamorgan, west glamorgan, wrexham`,
  NIR: `northern ireland, ulster, antrim, antrim and newtownabbey, ards and north down, armagh, belfast,
    armagh city banbridge and craigavon, causeway coast and glens, derry, derry and strabane, derry city and strabane,
    down, fermanagh, fermanagh and omagh, lisburn and castlereagh, londonderry, mid and east antrim, mid ulster,
    newry mourne and down, tyrone`,
};

const byRegion = new Map<string, Nation>();
for (const [nation, names] of Object.entries(REGIONS) as [Nation, string][]) {
  byRegion.set(nation.toLowerCase(), nation).set(`gb ${nation.toLowerCase()}`, nation);
  for (const name of names.split(/,\s*/)) byRegion.set(name, nation);
}

/** The nation that a region, county or country name stands for. */
export function nationOfName(name: string | undefined): Nation | undefined {
  return name === undefined ? undefined : byRegion.get(countryKey(name).replace(/^(?:county|co) /, ''));
}

/** The country of a UK postcode: a nation, or one of the Crown dependencies, which are countries of their own. */
type PostcodeCountry = Nation | 'IM' | 'JE' | 'GG';

const POSTCODE = /^([A-Z]{1,2})(\d{1,2})[A-Z]? ?(?:\d[A-Z]{2})?$/;
const FULL_POSTCODE = /\b[A-Z]{1,2}\d[A-Z\d]? ?\d[A-Z]{2}\b/g;
const INWARD = /\d[A-Z]{2}\s*$/i;

const AREAS: Record<string, PostcodeCountry> = { IM: 'IM', JE: 'JE', GY: 'GG', BT: 'NIR' };
for (const area of 'AB DD DG EH FK G HS IV KA KW KY ML PA PH TD ZE'.split(' ')) AREAS[area] = 'SCT';
for (const area of 'CF LD LL NP SA'.split(' ')) AREAS[area] = 'WLS';

const ALL_AREAS = new Set(
  `AB AL B BA BB BD BH BL BN BR BS BT CA CB CF CH CM CO CR CT CV CW DA DD DE DG DH DL DN DT DY E EC EH EN EX FK FY G GL
  GU GY HA HD HG HP HR HS HU HX IG IM IP IV JE KA KT KW KY L LA LD LE LL LN LS LU M ME MK ML N NE NG NN NP NR NW OL OX PA
  PE PH PL PO PR RG RH RM S SA SE SG SK SL SM SN SO SP SR SS ST SW SY TA TD TF TN TQ TR TS TW UB W WA WC WD WF WN WR WS
  WV YO ZE`.split(/\s+/),
);

/**
 * The country of a UK postcode, or of its first half. Areas across a border are divided by district, each to the country of
 * most of its people; a few villages stay on the wrong side.
 */
export function countryOfPostcode(postcode: string | undefined): PostcodeCountry | undefined {
  const [, area, number] = POSTCODE.exec((postcode ?? '').slice(0, 20).trim().toUpperCase()) ?? [];
  if (area === undefined || !ALL_AREAS.has(area)) return undefined;
  const district = Number(number);
  // Berwick; Flintshire; Powys and Aberystwyth.
  if (area === 'TD' && district === 15) return 'ENG';
  if (area === 'CH' && district >= 5 && district <= 8) return 'WLS';
  if (area === 'SY' && district >= 15) return 'WLS';
  return AREAS[area] ?? 'ENG';
}

/** Whether a text that may be the first half of a UK postcode has the second half too, which no other country writes. */
export function isFullPostcode(postcode: string | undefined): boolean {
  return postcode !== undefined && INWARD.test(postcode.slice(-20)) && countryOfPostcode(postcode) !== undefined;
}

/** The last full UK postcode in an address line. */
export function postcodeIn(address: string | undefined): string | undefined {
  return address?.slice(-200).toUpperCase().match(FULL_POSTCODE)?.at(-1);
}

type Point = readonly [longitude: number, latitude: number];

/** Land borders to a kilometre or three, then far out to sea. Longitude and latitude of the corners. */
const SCOTLAND = polygon(`-5.3 54.5, -4.3 54.6, -3.7 54.78, -3.45 54.9, -3.2 54.97, -3.06 54.985, -3.04 55.05,
  -2.97 55.045, -2.86 55.11, -2.69 55.2, -2.62 55.28, -2.478 55.354, -2.36 55.39, -2.245 55.43, -2.17 55.48, -2.24 55.57,
  -2.34 55.635, -2.24 55.647, -2.16 55.72, -2.1 55.76, -2.035 55.811, 0 56, 0 61.5, -9.5 61.5, -9.5 55.33, -5.95 55.33,
  -5.7 55.27, -5.35 55`);
const WALES =
  polygon(`-3.6 53.6, -3.3 53.4, -3.12 53.28, -3 53.215, -2.93 53.185, -2.96 53.13, -2.88 53.09, -2.86 53.03,
  -2.73 52.98, -2.725 52.93, -2.8 52.9, -2.87 52.935, -3 52.955, -3.05 52.925, -3.15 52.92, -3.13 52.86, -3.16 52.79,
  -3.09 52.78, -2.97 52.725, -3.02 52.7, -3.1 52.65, -3.13 52.58, -3.11 52.56, -3 52.545, -3.03 52.52, -3.12 52.51,
  -3.2 52.45, -3.15 52.4, -3.035 52.36, -3.035 52.33, -2.96 52.32, -2.99 52.265, -3.05 52.25, -3.1 52.2, -3.12 52.14,
  -3.115 52.07, -3.08 51.98, -3 51.93, -2.95 51.9, -2.85 51.925, -2.78 51.885, -2.72 51.85, -2.655 51.83, -2.665 51.785,
  -2.665 51.7, -2.66 51.64, -2.65 51.6, -2.9 51.5, -3.1 51.35, -3.6 51.33, -4.5 51.3, -5.6 51.5, -5.6 52.2, -5 53.5`);
const NORTHERN_IRELAND = polygon('-8.3 54, -5.35 54, -5.35 55, -5.7 55.27, -5.95 55.33, -8.3 55.4');

function polygon(corners: string): readonly Point[] {
  return corners.split(',').map((corner) => {
    const [longitude = 0, latitude = 0] = corner.trim().split(' ').map(Number);
    return [longitude, latitude];
  });
}

/** The nation at a point that is known to lie in the United Kingdom. */
export function nationAt(latitude: number, longitude: number): Nation {
  const point: Point = [longitude, latitude];
  if (inside(NORTHERN_IRELAND, point)) return 'NIR';
  if (inside(SCOTLAND, point)) return 'SCT';
  return inside(WALES, point) ? 'WLS' : 'ENG';
}

/** Even-odd rule: how many edges a ray to the east crosses. */
function inside(corners: readonly Point[], [x, y]: Point): boolean {
  let odd = false;
  let [x1, y1] = corners.at(-1) as Point;
  for (const [x2, y2] of corners) {
    if (y1 > y !== y2 > y && x < x1 + ((y - y1) / (y2 - y1)) * (x2 - x1)) odd = !odd;
    [x1, y1] = [x2, y2];
  }
  return odd;
}
