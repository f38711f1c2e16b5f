import { z } from 'zod';
import { setting } from './setting.ts';
import { readNumber } from './values.ts';

/** Where operators ask, and what they must know. */
export const ADMIN_SETTINGS = {
  adminPort: setting({
    schema: z.int().min(0).max(65535).optional(),
    default: undefined,
    allowed: 'a whole number from 0 (any free port) to 65535',
    help: 'port of the admin address: /admin (feeds with errors in full), /metrics, /healthz, /readyz; default: none',
    env: ['OPENACTIVE_ICAL_ADMIN_PORT', 'OPENACTIVE_ICAL_HARVEST_PORT'],
    flag: 'admin-port',
    value: 'PORT',
    read: readNumber,
  }),
  adminHost: setting({
    schema: z.string().regex(/^[\w.:-]+$/),
    default: '127.0.0.1',
    allowed: 'a host name or IP address of this machine',
    help: 'address that the admin port listens on; any but a loopback one needs adminToken',
    env: ['OPENACTIVE_ICAL_ADMIN_HOST'],
    flag: 'admin-host',
    value: 'HOST',
  }),
  adminToken: setting({
    schema: z
      .string()
      .min(16)
      .regex(/^[\w.~+/=-]+$/)
      .optional(),
    default: undefined,
    allowed: 'at least 16 letters, digits or . ~ + / = _ -',
    help: 'what who asks the admin address must give, as a bearer token or as a password',
    env: ['OPENACTIVE_ICAL_ADMIN_TOKEN'],
    secret: true,
  }),
};
