/**
 * TensorFlow Lite models: reading them as planning problems, building small ones, and writing plans
 * into copies.
 *
 * <h2>For maintainers</h2>
 *
 * <ul>
 *   <li>{@link TfliteReader} reads the main subgraph as a problem, with the records sorted by their
 *       first tasks, as the reference programs assume. A file whose operators are not in execution
 *       order is an error, because its lifetimes would be meaningless.
 *   <li>{@link MicroReader} reads a file like TensorFlow Lite Micro. {@link MicroLifetimes} walks
 *       the operators of all {@link MicroSubgraph}s. A {@link MicroArena} has the tensors, the plan
 *       in the file and the problem that the interpreter solves at run time. {@link MicroKernels}
 *       has the facts on kernels: those that request scratch buffers, and the data in the tail.
 *   <li>{@link OfflinePlanWriter} writes a plan into a copy: into the place of the old one, or in
 *       front of the old file ({@link ModelFront}), so that all offsets of the flatbuffer still
 *       point forward.
 *   <li>{@link MicroOperators} and {@link TfliteOperators} are graphs of operators for a search
 *       over their orders. {@link EffectOrder} has the order that effects require, and {@link
 *       TensorOrder} that of writes to the same tensor. {@link InPlaceGraph} is a graph in which
 *       some operators work in place ({@link MicroInPlace}).
 * </ul>
 */
package dev.stowage.tflite;
