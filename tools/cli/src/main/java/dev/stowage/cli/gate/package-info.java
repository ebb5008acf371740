/** Baselines: the figures of earlier runs in a file, and comparisons with them. */
package dev.stowage.cli.gate;
