/**
 * Copies of models with a plan or with another order of their operators.
 *
 * <p>{@link TfliteRewrite} plans the arena of TensorFlow Lite Micro and writes the plan into the
 * copy. {@link OnnxRewrite} writes the operators in another order.
 */
package dev.stowage.cli.rewrite;
