import { describeWhileAway } from './while-away.ts'

describeWhileAway({
  what: 'refuses connections',
  lose: (proxy) => proxy.cut(),
  detail: 'ECONNREFUSED',
})
