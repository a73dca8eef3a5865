/** Type-independent fields of records. */
import { z } from 'zod'
import { displayText } from '../../lib/names/display-text.ts'

/** The TTL in seconds. */
export const ttlSchema = z.int().min(60).max(86_400)

/** A priority, weight or port. */
export const uint16 = z.int().min(0).max(65_535)

export const defaultTtl = 300

export const commentSchema = displayText({ min: 0, max: 500 })
