/** Work items: from the inputs of a sweep to calls of a command, with estimates of their cost. */
@org.jspecify.annotations.NullMarked
package dev.stowage.fleet.item;
