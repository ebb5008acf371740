/**
 * Formats of traces that consist of JSON, which {@code dev.stowage.trace} cannot read without a
 * library. {@link TraceFormats} lists them.
 */
package dev.stowage.cli.trace;
