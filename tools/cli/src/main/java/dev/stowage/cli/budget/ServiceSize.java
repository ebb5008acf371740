package dev.stowage.cli.budget;

import java.util.OptionalLong;

/**
 * The size of a service that runs a model.
 *
 * @param sessions the number of sessions
 * @param threads the number of threads of each session
 * @param heapBytes the heap of the Java process, if the budget includes the process
 * @param limitBytes the limit of the memory, if there is one
 */
public record ServiceSize(
    int sessions, int threads, OptionalLong heapBytes, OptionalLong limitBytes) {}
