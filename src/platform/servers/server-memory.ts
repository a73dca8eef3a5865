/** How much memory a server may have. */
import type { RuntimeSettings } from '../../stores/db/schema/projects.ts'

/** The most, in bytes, of one whose sources are of somebody outside the team. */
const untrustedBytes = 256 * 1024 * 1024

/** The bytes for a server with these settings. */
export function serverMemory({ memory_bytes }: RuntimeSettings, isUntrusted: boolean): number {
  return isUntrusted ? Math.min(memory_bytes, untrustedBytes) : memory_bytes
}
