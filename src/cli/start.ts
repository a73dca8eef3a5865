#!/usr/bin/env node
/** Starts `svc` from compiled code that the build cached. */
import { runProgram } from '../stores/cache/compiled-program.ts'

// The build puts this beside it.
runProgram('svc-program', new URL('.', import.meta.url))
