#!/usr/bin/env node
/** Starts `svc`, whose program is compiled when it is built, and not at every start. */
import { runProgram } from '../cache/compiled-program.ts'

// The build puts this beside it.
runProgram('svc-program', new URL('.', import.meta.url))
