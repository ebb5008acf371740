/**
 * The strategies by name, and searches for problems with banks or with dimensions.
 *
 * <p>A new strategy is a class in {@code greedy} and a constant of {@link MemoryStrategy}, which
 * the command line, tables, pictures and the tests of all strategies use.
 */
package dev.stowage.plan.strategy;
