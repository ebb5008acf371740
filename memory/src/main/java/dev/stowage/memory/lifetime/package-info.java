/**
 * The end of memory: native calls that delay it, and reports of unclosed objects.
 *
 * <p>The module does not export this package. {@link ArenaUse} finds whether native calls use an
 * arena of the JDK, which the JDK reveals only in the message of a rejected {@code close}.
 */
package dev.stowage.memory.lifetime;
