/** The room of a node for servers. */
import type { Settings } from '../../lib/settings/variables.ts'
import { usableMemory } from '../../lib/usable-memory.ts'
import type { Room } from '../../platform/projects/room-to-keep.ts'

/** Half of the memory that this process may use, where the settings don't say how much. */
export function serverRoomOf({
  SVC_RUNTIME_MAX: processes,
  SVC_RUNTIME_BYTES: bytes,
}: Pick<Settings, 'SVC_RUNTIME_MAX' | 'SVC_RUNTIME_BYTES'>): Room {
  return { processes, bytes: bytes ?? Math.floor(usableMemory() / 2) }
}
