/** Races of what is private to the allocator's package, hence in a package of the same name. */
@org.jspecify.annotations.NullMarked
package dev.stowage.core.bfc;
