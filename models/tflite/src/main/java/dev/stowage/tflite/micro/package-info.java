/**
 * The memory of TensorFlow Lite Micro.
 *
 * <p>{@link MicroArenaReader} reads a file like TensorFlow Lite Micro. {@link MicroLifetimes} walks
 * the operators of all subgraphs. A {@link MicroArena} has the tensors, the plan in the file and
 * the problem that the interpreter solves at run time. {@link MicroKernels} lists the kernels that
 * request scratch buffers, and {@link ReferenceScratch} has the buffers of reference kernels.
 * {@link MicroTail} has the data in the tail, with the {@link KernelSizes} of the kernels. {@link
 * MicroOperators} is a graph of operators for a search over their orders; in an {@link
 * InPlaceGraph}, some operators work in place ({@link MicroInPlace}). {@link Decompression} has the
 * memory for decompressed constants. {@link DecodeOrder} orders operators so that no decompressed
 * constant is overwritten too early.
 */
package dev.stowage.tflite.micro;
