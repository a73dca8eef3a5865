/**
 * Remembers what scrypt made: the same arguments give the same key, and the people of the tests have one
 * password, which takes a tenth of a second of processor time each time that it is typed. Vitest runs this
 * before each file.
 */
import crypto, { type ScryptOptions } from 'node:crypto'
import { syncBuiltinESMExports } from 'node:module'

type Arguments = [password: string, salt: string, length: number, options: ScryptOptions]
type Made = (error: Error | null, key: Buffer) => void

const keys = new Map<string, Buffer>()

const { scrypt } = crypto

/** As `scrypt` of `node:crypto`, which the product calls through better-auth with these arguments. */
function remembered(...[password, salt, length, options, made]: [...Arguments, Made]): void {
  const name = JSON.stringify([password, salt, length, options])
  const known = keys.get(name)
  if (known) {
    setImmediate(made, null, Buffer.from(known))
    return
  }
  scrypt(password, salt, length, options, (error, key) => {
    if (!error) keys.set(name, Buffer.from(key))
    made(error, key)
  })
}

Object.assign(crypto, { scrypt: remembered })
syncBuiltinESMExports()
