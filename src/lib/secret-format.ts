/**
 * The format of a field with a secret, in schemas (OpenAPI's format registry): programs that act for people,
 * as `svc mcp` does, neither send nor get one.
 */
export const secretFormat = 'password'
