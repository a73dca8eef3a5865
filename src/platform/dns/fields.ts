/** Type-independent fields of records. */
import { z } from 'zod'

/** The TTL in seconds. */
export const ttlSchema = z.int().min(60).max(86_400)

/** A priority, weight or port. */
export const uint16 = z.int().min(0).max(65_535)

export const defaultTtl = 300

export const commentSchema = z.string().max(500)
