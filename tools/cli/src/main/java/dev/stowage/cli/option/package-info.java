/** The options that commands share, and the converters of their values. */
package dev.stowage.cli.option;
