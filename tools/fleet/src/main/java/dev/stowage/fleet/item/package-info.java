/**
 * Work items: from the inputs of a sweep to calls of a command, with estimates of their cost.
 *
 * <p>The key of a {@link WorkItem} is its path and its own options, so that it does not depend on
 * the order of the inputs.
 */
@NullMarked
package dev.stowage.fleet.item;

import org.jspecify.annotations.NullMarked;
