package dev.stowage.tflite.micro;

/**
 * The constants of a model that are decompressed while it runs.
 *
 * @param count their number
 * @param outsideCount the number of constants with a place in the memory of the application
 * @param regionBytes the bytes of a memory region that would have all of them, of one operator at a
 *     time
 * @param isRegionSafe true if no operator would overwrite one in such a region before it is read
 */
public record DecompressedConstants(
    int count, int outsideCount, long regionBytes, boolean isRegionSafe) {}
