/** An answer as it was decided: its head, and what its body is made of, none of it read yet. */
import type { ByteRange } from '../wire/byte-ranges.ts'

/** A text as it is, or bytes of the file that the answer is about. */
export type Piece = string | ByteRange

/**
 * `headers` are names and values by turns, as node:http takes them without copying. `HEAD` gets no `body`.
 */
export type SiteResponse = { status: number; headers: string[]; body: readonly Piece[] }

/** Whether caches that people share may keep an answer, or it comes from a protected host. */
export type Visibility = 'public' | 'private'

/** What caches are told about an answer that the next promote may change. */
export const cacheControl: Record<Visibility, string> = {
  public: 'public, max-age=0, must-revalidate',
  private: 'private, no-store',
}
