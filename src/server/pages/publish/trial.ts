/** What would be published of a calendar (`publish/trial/trial.ts`). Lists have the first of each kind, and `counts` all. */
export interface Trial {
  name?: string;
  series: readonly {
    name: string;
    when: readonly string[];
    sessions: number;
    next?: string;
    activity?: string;
    place?: string;
    price?: { amount: number; currency?: string };
  }[];
  facilities: readonly { name: string; hours: number }[];
  counts: { series: number; sessions: number; facilities: number };
  undecided: readonly { title: string; events: number }[];
  left: readonly { title: string; events: number; why: string }[];
  more: number;
  private: number;
  findings: readonly { code: string; severity: 'error' | 'warning' | 'info'; message: string; count: number }[];
  mapping: string;
}
