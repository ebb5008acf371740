/**
 * TensorFlow Lite models as planning problems.
 *
 * <h2>For maintainers</h2>
 *
 * <p>{@link TfliteReader} reads the main subgraph as a problem, with the records sorted by their
 * first tasks, as the reference programs assume. A file with operators out of execution order is an
 * error, because its lifetimes would be meaningless. {@link TfliteOperators} is the graph of
 * operators for a search over their orders.
 *
 * <p>{@code model} has the parts of a file, {@code order} the order that operators must keep,
 * {@code micro} the memory of TensorFlow Lite Micro, and {@code offline} the plans in files.
 */
package dev.stowage.tflite;
