/**
 * Explains who holds memory at a moment of a trace, why requests failed and what keeps regions from
 * being released, and compares the memory of two traces.
 */
package dev.stowage.trace.explain;
