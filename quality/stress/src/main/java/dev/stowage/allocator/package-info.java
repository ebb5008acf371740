/** Races of package-private classes of the allocator, in a package of the same name. */
@org.jspecify.annotations.NullMarked
package dev.stowage.allocator;
