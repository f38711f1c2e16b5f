import { isMatched, matchingTag } from '../../entity-tags.ts';
import { objectBytes } from '../../library/index.ts';
import { httpDate } from '../../time/http-date.ts';
import { wholeSecond } from '../../time/instant.ts';
import { filePath, pagePath } from '../address.ts';
import type { Context } from '../properties/properties.ts';
import { dateText, OBJECT_TYPE } from '../properties/values.ts';
import { Refusal } from '../refusal.ts';
import type { DavAnswer, DavRequest } from '../request.ts';
import { type DavLibrary, type ObjectResource, type Resource, resourceAt } from '../resource.ts';

/** GET and HEAD: the octets of an object. A collection redirects to its calendar as one file, or browsers to its page. */
export async function get(request: DavRequest, library: DavLibrary, context: Context): Promise<DavAnswer> {
  const resource = await resourceAt(request.path, library, 'read');
  if (resource.kind === 'object') return objectAnswer(request, resource, context);
  const path = elsewhere(resource, (request.header('accept') ?? '').includes('text/html'));
  if (path === undefined)
    return { status: 200, headers: { 'Content-Type': 'text/plain; charset=utf-8' }, body: EXPLANATION };
  return {
    status: 302,
    headers: { Location: context.prefix + path, 'Cache-Control': 'public, max-age=300', Vary: 'Accept' },
    body: '',
  };
}

function elsewhere(resource: Exclude<Resource, ObjectResource>, isBrowser: boolean): string | undefined {
  if (resource.kind === 'home') return isBrowser ? `/my/${resource.token}` : `/my/${resource.token}.ics`;
  if (resource.kind === 'calendar') return isBrowser ? pagePath(resource.thing) : filePath(resource.thing);
  return undefined;
}

const EXPLANATION = `This is an address for calendar programs (CalDAV, read only).

It lists no calendars: there are too many. Each has an address of its own, which its page shows:
  /dav/series/KEY/  /dav/places/KEY/  /dav/facilities/KEY/  /dav/search/FILTERS/
Several at once, chosen on the pages: /dav/my/TOKEN/
No account is needed.
`;

function objectAnswer(request: DavRequest, { member }: ObjectResource, { now }: Context): DavAnswer {
  const tag = `"${member.etag}"`;
  // Caches have to revalidate: otherwise a client with the new tag could get old octets.
  const modified = dateText(member.revision.modified, now);
  const headers = { ETag: tag, 'Last-Modified': modified, 'Cache-Control': 'no-cache' };
  const [wanted, known] = [request.header('if-match'), request.header('if-none-match')];
  const covers = (field: string) => coversTime(request.header(field), member.revision.modified);
  // RFC 9110 13.2.2: a condition by date counts where there is none by tag.
  const isWanted = wanted === undefined ? covers('if-unmodified-since') : isMatched(wanted, [tag]);
  if (isWanted === false) throw new Refusal(412, 'The object has changed.');
  const isKnown = known === undefined ? covers('if-modified-since') : matchingTag(known, [tag]) !== undefined;
  if (isKnown) return { status: 304, headers, body: '' };
  const bytes = objectBytes(member);
  const content = { 'Content-Type': OBJECT_TYPE, 'Content-Length': String(bytes.length) };
  return { status: 200, headers: { ...content, ...headers }, body: [bytes] };
}

/** Whether a date is not before a time, cut to its second; undefined: there is no date that can be read. */
function coversTime(condition: string | undefined, modified: number): boolean | undefined {
  const date = condition === undefined ? undefined : httpDate(condition);
  return date === undefined ? undefined : wholeSecond(modified) <= date;
}
