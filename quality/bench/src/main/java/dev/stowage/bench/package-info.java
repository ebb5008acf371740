/** Benchmarks. */
@org.jspecify.annotations.NullMarked
package dev.stowage.bench;
