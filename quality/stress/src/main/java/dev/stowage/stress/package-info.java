/**
 * Races of the allocator and of counted blocks with their acceptable results, each run millions of
 * times.
 */
@org.jspecify.annotations.NullMarked
package dev.stowage.stress;
