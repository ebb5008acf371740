/** Converters of options, the short help, and the exit codes of commands. */
@org.jspecify.annotations.NullMarked
package dev.stowage.cli.console;
