import { ListenError } from '../errors.ts';

/** @throws ListenError with the port in words */
export function listening<T>(starting: Promise<T>, host: string, port: number, setting?: string): Promise<T> {
  return starting.catch((error: unknown) => {
    const isOfSystem = typeof (error as NodeJS.ErrnoException).code === 'string';
    throw isOfSystem ? new ListenError(host, port, error, setting) : error;
  });
}
