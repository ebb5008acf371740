package dev.stowage.tflite.micro;

/**
 * The constants of a model that are decompressed while it runs.
 *
 * @param count their number
 * @param outsideCount the number of those that have a place in the memory of the application
 * @param regionBytes the bytes of a memory region that would have all of them, of one operator at a
 *     time
 */
public record DecompressedConstants(int count, int outsideCount, long regionBytes) {}
