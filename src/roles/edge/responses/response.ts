/** A decided response: its head, and the source of its body, none of it read yet. */
import type { ByteRange } from '../wire/parse-ranges.ts'

/** A text, or a range of the file. */
export type Piece = string | ByteRange

/**
 * `headers` are alternating names and values, which node:http takes without copying. `HEAD` gets no `body`.
 */
export type SiteResponse = { status: number; headers: string[]; body: readonly Piece[] }

/** Whether shared caches may store a response; not for a protected host. */
export type Visibility = 'public' | 'private'

/** The Cache-Control of responses that the next promotion may change. */
export const cacheControl: Record<Visibility, string> = {
  public: 'public, max-age=0, must-revalidate',
  private: 'private, no-store',
}
