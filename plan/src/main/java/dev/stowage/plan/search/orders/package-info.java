/**
 * Searches for orders of operators with small loads.
 *
 * <p>The live bytes depend only on the set of executed operators. A {@link OneWaySearch} therefore
 * visits each set once ({@link ExecutedSets}), by ascending load. Operators that cost nothing run
 * at once, which leaves few sets of most networks. {@link LoadSearch} has two of them, from the
 * first operator and from the last, because often only one of them needs few sets.
 */
package dev.stowage.plan.search.orders;
