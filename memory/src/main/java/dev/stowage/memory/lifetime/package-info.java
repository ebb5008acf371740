/**
 * The end of memory: native calls that delay it, reports of unclosed objects, and failures.
 *
 * <p>The module does not export this package.
 */
package dev.stowage.memory.lifetime;
