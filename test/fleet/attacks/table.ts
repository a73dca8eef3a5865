/** All attacks, in the order in which they are played. */
import type { Attack } from './attack.ts'
import { eventFloods } from './forges/event-floods.ts'
import { pullRequests } from './forges/pull-requests.ts'
import { abandonedPushes } from './git/abandoned-pushes.ts'
import { cutPushes } from './git/cut-pushes.ts'
import { deepPaths } from './git/deep-paths.ts'
import { emptyPackets } from './git/empty-packets.ts'
import { largeDeltas } from './git/large-deltas.ts'
import { longMessages } from './git/long-messages.ts'
import { longNames } from './git/long-names.ts'
import { slowPushes } from './git/slow-pushes.ts'
import { treeBombs } from './git/tree-bombs.ts'
import { endlessTexts } from './http/endless-texts.ts'
import { guesses } from './http/guesses.ts'
import { nestedBodies } from './http/nested-bodies.ts'
import { pipelinedRequests } from './http/pipelined-requests.ts'
import { slowBodies } from './http/slow-bodies.ts'
import { slowHeaders } from './http/slow-headers.ts'
import { unknownSites } from './http/unknown-sites.ts'
import { controlFrames } from './http2/control-frames.ts'
import { largeHeaders } from './http2/large-headers.ts'
import { partialBodies } from './http2/partial-bodies.ts'
import { unreadResponses } from './http2/unread-responses.ts'
import { nameConnections } from './names/name-connections.ts'
import { nameQueries } from './names/name-queries.ts'
import { randomServerNames } from './names/random-server-names.ts'

export const attacks: Attack[] = [
  emptyPackets,
  deepPaths,
  longMessages,
  largeDeltas,
  cutPushes,
  slowPushes,
  treeBombs,
  longNames,
  eventFloods,
  pullRequests,
  guesses,
  endlessTexts,
  nestedBodies,
  slowHeaders,
  slowBodies,
  pipelinedRequests,
  unknownSites,
  unreadResponses,
  controlFrames,
  largeHeaders,
  partialBodies,
  randomServerNames,
  nameQueries,
  nameConnections,
  // The last one: its builds go on.
  abandonedPushes,
]
