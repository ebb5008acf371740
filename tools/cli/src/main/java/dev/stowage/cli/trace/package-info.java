/** Formats of traces that consist of JSON. */
package dev.stowage.cli.trace;
