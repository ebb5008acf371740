/** Work items: from the inputs of a sweep to calls of a command, with estimates of their cost. */
@NullMarked
package dev.stowage.fleet.item;

import org.jspecify.annotations.NullMarked;
