/** Searches for settings of allocators: traces in memory, replays in several threads, reports. */
package dev.stowage.cli.tune;
