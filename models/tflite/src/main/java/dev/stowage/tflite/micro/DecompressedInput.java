package dev.stowage.tflite.micro;

import java.util.Optional;

/**
 * A compressed constant that the kernel of an operator decompresses before it computes.
 *
 * @param buffer the operator, and the bytes of the decompressed constant
 * @param name the name of the constant; its index if it has none
 * @param place the place in the memory of the application; empty for a scratch buffer
 */
record DecompressedInput(
    ScratchBuffer buffer, String name, Optional<DecompressionMemory.Place> place) {}
