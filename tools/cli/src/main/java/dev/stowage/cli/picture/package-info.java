/**
 * The pages of reports: their figures, tables and curves as the data of {@code dev.stowage.pages},
 * which writes them.
 */
package dev.stowage.cli.picture;
