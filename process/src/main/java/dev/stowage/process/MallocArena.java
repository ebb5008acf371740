package dev.stowage.process;

/**
 * An arena of the C library of GNU, which serves the requests of some threads.
 *
 * @param number its number; 0 is the first one, which grows with {@code sbrk}
 * @param bytes its bytes, resident or not
 * @param freeBytes its free bytes
 */
public record MallocArena(int number, long bytes, long freeBytes) {}
