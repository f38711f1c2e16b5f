import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const folder = fileURLToPath(new URL('../../shared/feeds', import.meta.url));

/** A folder of real and official OpenActive samples beside the checkout; tests that need it are skipped without it. */
export const samplesDir: string | undefined = existsSync(folder) ? folder : undefined;
