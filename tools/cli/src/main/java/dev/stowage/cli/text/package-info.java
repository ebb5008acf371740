/** Texts of files and of the build. */
package dev.stowage.cli.text;
