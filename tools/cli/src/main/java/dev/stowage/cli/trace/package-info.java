/**
 * Traces as JSON. {@code dev.stowage.trace} cannot read them without a library; {@link
 * TraceFormats} adds them to its formats.
 */
package dev.stowage.cli.trace;
