/** See roll-up.mjs. */
export declare function rollUp(declarations: string): string
