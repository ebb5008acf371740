package dev.stowage.examples.training;

/**
 * The first arguments of every kernel.
 *
 * @param rows the number of samples
 * @param inputs the number of inputs of a layer
 * @param outputs the number of outputs of a layer
 * @param factor the factor of kernels that multiply
 */
record Scalars(int rows, int inputs, int outputs, float factor) {}
