/** Stops the nodes that the tests of a file shared; Vitest runs this before each file. */
import { afterAll } from 'vitest'
import { stopNodesOfFile } from './node-of-file.ts'

afterAll(stopNodesOfFile)
