/**
 * The commands. Each class has the options of a command, works on its files and prints the answers.
 */
package dev.stowage.cli.command;
