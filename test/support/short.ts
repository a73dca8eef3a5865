/** Whether this run is `npm test`, which leaves to `npm run test:all` what a cheaper test in it would notice, too. */
export const isShort = process.env.TEST_SHORT === '1'
