package dev.stowage.tflite.micro;

/**
 * A compressed constant that the kernel of an operator decompresses before it computes.
 *
 * @param buffer the operator, and the bytes of the decompressed constant
 * @param name the name of the constant; its index if it has none
 */
record DecompressedInput(ScratchBuffer buffer, String name) {}
