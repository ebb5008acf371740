/** Races of the allocator with their acceptable results, each run millions of times. */
@org.jspecify.annotations.NullMarked
package dev.stowage.stress;
