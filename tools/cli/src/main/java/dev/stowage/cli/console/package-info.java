/** Converters of options, the short help, writes that may block, and the exit codes of commands. */
@org.jspecify.annotations.NullMarked
package dev.stowage.cli.console;
