/** The codes and names of countries, and the zone of those that have (nearly) one clock. */

/** ISO 3166-1 alpha-2, e.g. `GB`. */
export type CountryCode = string;

/**
 * ISO 3166-1 alpha-2 and alpha-3, and the zone. That is from the IANA table zone.tab where the country has one zone or several
 * that have agreed since 2020, and the mainland's where islands differ. No zone: a country across several, such as the US.
 */
const TABLE = `
  AD AND Europe/Andorra; AE ARE Asia/Dubai; AF AFG Asia/Kabul; AG ATG America/Antigua; AI AIA America/Anguilla;
  AL ALB Europe/Tirane; AM ARM Asia/Yerevan; AO AGO Africa/Luanda; AQ ATA; AR ARG America/Argentina/Buenos_Aires;
  AS ASM Pacific/Pago_Pago; AT AUT Europe/Vienna; AU AUS; AW ABW America/Aruba; AX ALA Europe/Mariehamn;
  AZ AZE Asia/Baku; BA BIH Europe/Sarajevo; BB BRB America/Barbados; BD BGD Asia/Dhaka; BE BEL Europe/Brussels;
  BF BFA Africa/Ouagadougou; BG BGR Europe/Sofia; BH BHR Asia/Bahrain; BI BDI Africa/Bujumbura;
  BJ BEN Africa/Porto-Novo; BL BLM America/St_Barthelemy; BM BMU Atlantic/Bermuda; BN BRN Asia/Brunei;
  BO BOL America/La_Paz; BQ BES America/Kralendijk; BR BRA; BS BHS America/Nassau; BT BTN Asia/Thimphu; BV BVT;
  BW BWA Africa/Gaborone; BY BLR Europe/Minsk; BZ BLZ America/Belize; CA CAN; CC CCK Indian/Cocos; CD COD;
  CF CAF Africa/Bangui; CG COG Africa/Brazzaville; CH CHE Europe/Zurich; CI CIV Africa/Abidjan;
  CK COK Pacific/Rarotonga; CL CHL America/Santiago; CM CMR Africa/Douala; CN CHN Asia/Shanghai;
  CO COL America/Bogota; CR CRI America/Costa_Rica; CU CUB America/Havana; CV CPV Atlantic/Cape_Verde;
  CW CUW America/Curacao; CX CXR Indian/Christmas; CY CYP Asia/Nicosia; CZ CZE Europe/Prague; DE DEU Europe/Berlin;
  DJ DJI Africa/Djibouti; DK DNK Europe/Copenhagen; DM DMA America/Dominica; DO DOM America/Santo_Domingo;
  DZ DZA Africa/Algiers; EC ECU America/Guayaquil; EE EST Europe/Tallinn; EG EGY Africa/Cairo;
  EH ESH Africa/El_Aaiun; ER ERI Africa/Asmara; ES ESP Europe/Madrid; ET ETH Africa/Addis_Ababa;
  FI FIN Europe/Helsinki; FJ FJI Pacific/Fiji; FK FLK Atlantic/Stanley; FM FSM; FO FRO Atlantic/Faroe;
  FR FRA Europe/Paris; GA GAB Africa/Libreville; GB GBR Europe/London; GD GRD America/Grenada; GE GEO Asia/Tbilisi;
  GF GUF America/Cayenne; GG GGY Europe/Guernsey; GH GHA Africa/Accra; GI GIB Europe/Gibraltar; GL GRL America/Nuuk;
  GM GMB Africa/Banjul; GN GIN Africa/Conakry; GP GLP America/Guadeloupe; GQ GNQ Africa/Malabo; GR GRC Europe/Athens;
  GS SGS Atlantic/South_Georgia; GT GTM America/Guatemala; GU GUM Pacific/Guam; GW GNB Africa/Bissau;
  GY GUY America/Guyana; HK HKG Asia/Hong_Kong; HM HMD; HN HND America/Tegucigalpa; HR HRV Europe/Zagreb;
  HT HTI America/Port-au-Prince; HU HUN Europe/Budapest; ID IDN; IE IRL Europe/Dublin; IL ISR Asia/Jerusalem;
  IM IMN Europe/Isle_of_Man; IN IND Asia/Kolkata; IO IOT Indian/Chagos; IQ IRQ Asia/Baghdad; IR IRN Asia/Tehran;
  IS ISL Atlantic/Reykjavik; IT ITA Europe/Rome; JE JEY Europe/Jersey; JM JAM America/Jamaica; JO JOR Asia/Amman;
  JP JPN Asia/Tokyo; KE KEN Africa/Nairobi; KG KGZ Asia/Bishkek; KH KHM Asia/Phnom_Penh; KI KIR Pacific/Tarawa;
  KM COM Indian/Comoro; KN KNA America/St_Kitts; KP PRK Asia/Pyongyang; KR KOR Asia/Seoul; KW KWT Asia/Kuwait;
  KY CYM America/Cayman; KZ KAZ; LA LAO Asia/Vientiane; LB LBN Asia/Beirut; LC LCA America/St_Lucia;
  LI LIE Europe/Vaduz; LK LKA Asia/Colombo; LR LBR Africa/Monrovia; LS LSO Africa/Maseru; LT LTU Europe/Vilnius;
  LU LUX Europe/Luxembourg; LV LVA Europe/Riga; LY LBY Africa/Tripoli; MA MAR Africa/Casablanca;
  MC MCO Europe/Monaco; MD MDA Europe/Chisinau; ME MNE Europe/Podgorica; MF MAF America/Marigot;
  MG MDG Indian/Antananarivo; MH MHL Pacific/Majuro; MK MKD Europe/Skopje; ML MLI Africa/Bamako; MM MMR Asia/Yangon;
  MN MNG Asia/Ulaanbaatar; MO MAC Asia/Macau; MP MNP Pacific/Saipan; MQ MTQ America/Martinique;
  MR MRT Africa/Nouakchott; MS MSR America/Montserrat; MT MLT Europe/Malta; MU MUS Indian/Mauritius;
  MV MDV Indian/Maldives; MW MWI Africa/Blantyre; MX MEX; MY MYS Asia/Kuala_Lumpur; MZ MOZ Africa/Maputo;
  NA NAM Africa/Windhoek; NC NCL Pacific/Noumea; NE NER Africa/Niamey; NF NFK Pacific/Norfolk; NG NGA Africa/Lagos;
  NI NIC America/Managua; NL NLD Europe/Amsterdam; NO NOR Europe/Oslo; NP NPL Asia/Kathmandu; NR NRU Pacific/Nauru;
  NU NIU Pacific/Niue; NZ NZL Pacific/Auckland; OM OMN Asia/Muscat; PA PAN America/Panama; PE PER America/Lima;
  PF PYF Pacific/Tahiti; PG PNG Pacific/Port_Moresby; PH PHL Asia/Manila; PK PAK Asia/Karachi; PL POL Europe/Warsaw;
  PM SPM America/Miquelon; PN PCN Pacific/Pitcairn; PR PRI America/Puerto_Rico; PS PSE Asia/Gaza;
  PT PRT Europe/Lisbon; PW PLW Pacific/Palau; PY PRY America/Asuncion; QA QAT Asia/Qatar; RE REU Indian/Reunion;
  RO ROU Europe/Bucharest; RS SRB Europe/Belgrade; RU RUS; RW RWA Africa/Kigali; SA SAU Asia/Riyadh;
  SB SLB Pacific/Guadalcanal; SC SYC Indian/Mahe; SD SDN Africa/Khartoum; SE SWE Europe/Stockholm;
  SG SGP Asia/Singapore; SH SHN Atlantic/St_Helena; SI SVN Europe/Ljubljana; SJ SJM Arctic/Longyearbyen;
  SK SVK Europe/Bratislava; SL SLE Africa/Freetown; SM SMR Europe/San_Marino; SN SEN Africa/Dakar;
  SO SOM Africa/Mogadishu; SR SUR America/Paramaribo; SS SSD Africa/Juba; ST STP Africa/Sao_Tome;
  SV SLV America/El_Salvador; SX SXM America/Lower_Princes; SY SYR Asia/Damascus; SZ SWZ Africa/Mbabane;
  TC TCA America/Grand_Turk; TD TCD Africa/Ndjamena; TF ATF Indian/Kerguelen; TG TGO Africa/Lome;
  TH THA Asia/Bangkok; TJ TJK Asia/Dushanbe; TK TKL Pacific/Fakaofo; TL TLS Asia/Dili; TM TKM Asia/Ashgabat;
  TN TUN Africa/Tunis; TO TON Pacific/Tongatapu; TR TUR Europe/Istanbul; TT TTO America/Port_of_Spain;
  TV TUV Pacific/Funafuti; TW TWN Asia/Taipei; TZ TZA Africa/Dar_es_Salaam; UA UKR Europe/Kyiv;
  UG UGA Africa/Kampala; UM UMI; US USA; UY URY America/Montevideo; UZ UZB Asia/Samarkand; VA VAT Europe/Vatican;
  VC VCT America/St_Vincent; VE VEN America/Caracas; VG VGB America/Tortola; VI VIR America/St_Thomas;
  VN VNM Asia/Ho_Chi_Minh; VU VUT Pacific/Efate; WF WLF Pacific/Wallis; WS WSM Pacific/Apia; XK XKK;
  YE YEM Asia/Aden; YT MYT Indian/Mayotte; ZA ZAF Africa/Johannesburg; ZM ZMB Africa/Lusaka; ZW ZWE Africa/Harare`;

const zones = new Map<CountryCode, string | undefined>();
const byName = new Map<string, CountryCode>();

for (const line of TABLE.split(';')) {
  const [code, three, zone] = line.trim().split(' ') as [string, string, string?];
  zones.set(code, zone);
  byName.set(three.toLowerCase(), code);
}

/** Other names of the countries of most data; the nations of the UK are in `hours/nations.ts`. */
const ALIASES: Record<string, CountryCode> = {
  uk: 'GB',
  'great britain': 'GB',
  britain: 'GB',
  'united kingdom of great britain and northern ireland': 'GB',
  'the united kingdom': 'GB',
  'republic of ireland': 'IE',
  eire: 'IE',
  usa: 'US',
  'u s a': 'US',
  'united states of america': 'US',
  'the netherlands': 'NL',
  holland: 'NL',
  deutschland: 'DE',
  espana: 'ES',
  osterreich: 'AT',
  'czech republic': 'CZ',
  turkey: 'TR',
};
for (const [name, code] of Object.entries(ALIASES)) byName.set(name, code);

/** The code of a country written as a code (two or three letters, any case) or by its English name; else undefined. */
export function countryCode(text: string | undefined): CountryCode | undefined {
  const key = countryKey(text ?? '');
  const two = key.toUpperCase();
  return zones.has(two) ? two : (byName.get(key) ?? englishNames().get(key));
}

/** The zone of a country; undefined where it has several. */
export function countryZone(code: CountryCode): string | undefined {
  return zones.get(code);
}

/** A name in the form for comparisons: lower case, without accents, punctuation as one space. */
export function countryKey(text: string): string {
  const bare = text
    .slice(0, 100)
    .normalize('NFD')
    .replace(/\p{M}+/gu, '')
    .toLowerCase();
  return bare.replace(/[^\p{L}\p{N}]+/gu, ' ').trim();
}

let english: Map<string, CountryCode> | undefined;

/** The names of Intl, which are read only once a country is neither a code nor an alias. */
function englishNames(): Map<string, CountryCode> {
  if (english === undefined) {
    const names = new Intl.DisplayNames(['en'], { type: 'region' });
    english = new Map([...zones.keys()].map((code) => [countryKey(names.of(code) ?? code), code]));
  }
  return english;
}
