package dev.stowage.trace.tune;

/**
 * A limit of the free blocks that an allocator splits or gives to smaller requests.
 *
 * @param others a key of the other settings: equal for settings that differ only in this limit, and
 *     in settings without effect below the limit
 * @param bytes the limit
 */
record SplitLimit(Object others, long bytes) {}
