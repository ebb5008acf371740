/** Distances in memory between data of different threads. */
package dev.stowage.allocator.padding;
