/** Searches, by replays of traces, for the settings with which an allocator needs least memory. */
package dev.stowage.trace.tune;
