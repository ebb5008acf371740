/** Buffers of Apache Arrow from a memory pool. */
package dev.stowage.arrow;
