/**
 * Converters of options, and the exit codes of commands.
 *
 * <p>The commands of tools/cli and tools/fleet share them. They run on Java 17, as sweeps do.
 */
@org.jspecify.annotations.NullMarked
package dev.stowage.console;
