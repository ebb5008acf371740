/** The last line of a build. */
@org.jspecify.annotations.NullMarked
package dev.stowage.house;
