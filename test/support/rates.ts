/** Settings of a node for tests that aren't about rate limits. */

/** High enough that only tests of limits reach them. */
export const generousRates = {
  SVC_RATE_FREE: '100000/100000',
  SVC_RATE_PRO: '100000/100000',
  SVC_RATE_ENTERPRISE: '100000/100000',
  SVC_RATE_SESSION: '100000/100000',
  SVC_RATE_STREAMS: '100000/100000',
  SVC_RATE_ANONYMOUS: '100000/100000',
  SVC_RATE_EDGE: '100000/100000',
}
