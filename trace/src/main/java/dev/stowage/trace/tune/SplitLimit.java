package dev.stowage.trace.tune;

/**
 * A limit of the free blocks that an allocator splits or gives to smaller requests.
 *
 * @param others a value that is equal for settings which differ only in this limit, and in settings
 *     that have no effect below the limit
 * @param bytes the limit
 */
record SplitLimit(Object others, long bytes) {}
