/** The ends of memory: native calls that hold it. The module does not export this package. */
package dev.stowage.memory.lifetime;
