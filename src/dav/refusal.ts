import { OpenactiveIcalError } from '../errors.ts';

/**
 * The refusal of a request, with the status and, where the RFCs name one, the condition that does not hold (RFC 4918 16).
 * `condition`: XML in the prefixes of our answers, as `<C:valid-filter/>`.
 */
export class Refusal extends OpenactiveIcalError {
  readonly status: number;
  readonly condition: string | undefined;
  readonly headers: Readonly<Record<string, string>>;

  constructor(status: number, message: string, condition?: string, headers: Record<string, string> = {}) {
    super(message);
    this.status = status;
    this.condition = condition;
    this.headers = headers;
  }
}

/** RFC 4791 7.8: a precondition of a report that does not hold. */
export function unmet(condition: string, message: string): Refusal {
  return new Refusal(403, message, `<${condition}/>`);
}

/** The body cannot be read, or is not what its method asks for. */
export function unreadable(message: string): Refusal {
  return new Refusal(400, message);
}
