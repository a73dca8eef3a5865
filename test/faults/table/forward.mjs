const directory = 'src/roles/edge/forward'
const tests = 'test/roles/edge/forward'

export const faults = [
  {
    what: 'A visitor says to a server behind a rule whose request it is.',
    file: `${directory}/request-fields.ts`,
    find: 'x-forwarded-.*|',
    replace: '',
    tests: [`${tests}/request-fields.test.ts`],
  },
  {
    what: 'What Connection names is passed on.',
    file: `${directory}/fields.ts`,
    find: ' && !named.has(key)',
    replace: '',
    tests: [`${tests}/request-fields.test.ts`],
  },
  {
    what: 'A request goes round for ever.',
    file: `${directory}/request-fields.ts`,
    find: '[...loop, loopToken]',
    replace: '[...loop.slice(1), loopToken]',
    tests: [`${tests}/request-fields.test.ts`],
  },
  {
    what: 'Any server gets the cookies of a site.',
    file: `${directory}/forward.ts`,
    find: 'return site?.projectId === projectId',
    replace: 'return projectId !== undefined',
    tests: [`${tests}/credentials.test.ts`],
  },
  {
    what: 'A server behind a rule sets the cookies of this platform.',
    file: `${directory}/answer-fields.ts`,
    find: '  if (isPlatformCookie(pair)) return true\n',
    replace: '',
    tests: [`${tests}/answer-fields.test.ts`],
  },
  {
    what: 'A rule leads to an address inside.',
    file: `${directory}/origin-agents.ts`,
    find: 'if (isIP(literal) !== 0 && !isAllowed(literal))',
    replace: 'if (isIP(literal) === 1)',
    tests: [`${tests}/guard.test.ts`],
  },
  {
    what: 'An answer that was cut short looks whole over HTTP/2.',
    file: `${directory}/write-answer.ts`,
    find: 'res.stream.close(constants.NGHTTP2_INTERNAL_ERROR)',
    replace: 'res.end()',
    tests: [`${tests}/http2.test.ts`],
  },
  {
    what: 'An answer that was cut short looks whole over HTTP/1.1.',
    file: `${directory}/write-answer.ts`,
    find: '  else res.destroy()\n',
    replace: '  else res.end()\n',
    tests: [`${tests}/streams.test.ts`],
  },
  {
    what: 'A server goes on for a visitor who has left.',
    file: `${directory}/pass-on.ts`,
    find: "    res.once('close', end)\n",
    replace: '',
    tests: [`${tests}/http2.test.ts`],
  },
  {
    what: 'Events end after a minute of silence.',
    file: `${directory}/pass-on.ts`,
    find: 'if (isEventStream(answer)) silence.allow(limits.streamMs)',
    replace: '',
    tests: [`${tests}/streams.test.ts`],
  },
  {
    what: 'One team has all that wait.',
    file: `${directory}/places.ts`,
    find: 'const teamShare = 1 / 2',
    replace: 'const teamShare = 1',
    tests: [`${tests}/places.test.ts`],
  },
  {
    what: 'A protected site passes a POST of anybody on.',
    file: 'src/roles/edge/admit-request.ts',
    find: "if (refusal) return { answer: method === 'OPTIONS' ? plainResponse(405) : refusal }",
    replace: "if (refusal && method === 'OPTIONS') return { answer: plainResponse(405) }",
    tests: [`${tests}/credentials.test.ts`],
  },
]
