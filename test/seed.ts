import fc from 'fast-check';

/**
 * What decides whether work lands is the same every time it is asked: in CI the property tests begin with one seed.
 * Everywhere else each run tries other cases; a failure prints its seed.
 */
if (process.env.CI) fc.configureGlobal({ seed: 20_261_121 });
