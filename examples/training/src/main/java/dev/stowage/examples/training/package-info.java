/**
 * An example: a network of two layers, trained on the host and on OpenCL in turn, whose blobs are
 * copied only when they have to be.
 */
@org.jspecify.annotations.NullMarked
package dev.stowage.examples.training;
