/** An example: a small runtime that infers in planned memory, on the host and on OpenCL. */
@org.jspecify.annotations.NullMarked
package dev.stowage.examples.runtime;
