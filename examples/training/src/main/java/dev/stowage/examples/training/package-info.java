/**
 * An example: a network of two layers that is trained on the host and on OpenCL in turn. Its blobs
 * are copied only if necessary.
 */
@org.jspecify.annotations.NullMarked
package dev.stowage.examples.training;
