package dev.stowage.tflite.micro;

/**
 * A tensor or a scratch buffer of TensorFlow Lite Micro at its place.
 *
 * @param buffer the tensor; a scratch buffer has the index -1
 * @param offset the offset in bytes
 */
public record PlacedBuffer(MicroTensor buffer, long offset) {}
