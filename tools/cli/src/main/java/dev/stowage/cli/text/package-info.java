/** Numbers and texts in tables, pictures and messages. */
package dev.stowage.cli.text;
