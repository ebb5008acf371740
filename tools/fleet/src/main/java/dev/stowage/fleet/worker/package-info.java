/**
 * Worker processes: each runs the items of one task, and is replaced if an item ends it.
 *
 * <p>An {@link ItemRunner} calls one {@link WorkerProcess}: a Java with the modules of Stowage. If
 * the process ends, {@link ProcessEnd} describes the reason, and the item runs again in a new
 * process while no other item of the JVM runs ({@link WorkerLocks}). A {@link ResultCache} keeps
 * results by the content of all files that the command reads.
 */
@NullMarked
package dev.stowage.fleet.worker;

import org.jspecify.annotations.NullMarked;
