/**
 * Whether this run is `npm test`, which leaves to `npm run test:all` what a quicker test in it would catch,
 * too. It lowers the numbers of rounds and amounts; whole cases and files that are left out are tagged, as
 * long-tests.ts says.
 */
export const isShort = process.env.TEST_SHORT === '1'
