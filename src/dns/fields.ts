/** The fields of a record that don't depend on its type. */
import { z } from 'zod'

/** Seconds that others may keep a record. */
export const ttlSchema = z.int().min(60).max(86_400)

export const defaultTtl = 300

export const commentSchema = z.string().max(500)
