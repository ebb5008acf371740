/** Races, tried some million times each: what may come out of them, and what may not. */
@org.jspecify.annotations.NullMarked
package dev.stowage.stress;
