/** The commands. Each is a class with its options, which runs its files and prints the answers. */
package dev.stowage.cli.command;
