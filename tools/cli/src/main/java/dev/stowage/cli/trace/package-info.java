/**
 * The format of traces that is JSON, which {@code dev.stowage.trace} cannot read without a library.
 * {@link TraceFormats} adds it to the others.
 */
package dev.stowage.cli.trace;
