/** The audit of the data model that `check` runs. */

export { auditFindings } from './audit.ts';
