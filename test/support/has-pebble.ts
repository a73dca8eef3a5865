/** Whether Debian's pebble is installed, a certificate authority for tests. */
import { existsSync } from 'node:fs'

export const pebblePath = '/usr/bin/pebble'

export const hasPebble = existsSync(pebblePath)
