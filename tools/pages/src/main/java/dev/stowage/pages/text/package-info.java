/** Numbers and texts for people, the same on pages, in tables and in messages. */
package dev.stowage.pages.text;
