package dev.stowage.examples.training;

/**
 * The numbers that every kernel gets before its memory, whether it needs them or not.
 *
 * @param rows how many samples
 * @param inputs how many inputs a layer has
 * @param outputs how many outputs it has
 * @param factor what a kernel multiplies by
 */
record Scalars(int rows, int inputs, int outputs, float factor) {}
