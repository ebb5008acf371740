/**
 * The end of memory: native calls that delay it, objects that are forgotten, and failures.
 *
 * <p>The module does not export this package.
 */
package dev.stowage.memory.lifetime;
