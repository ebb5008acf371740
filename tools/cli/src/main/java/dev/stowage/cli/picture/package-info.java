/** The pictures of plans, for {@code dev.stowage.pages} to draw. */
package dev.stowage.cli.picture;
