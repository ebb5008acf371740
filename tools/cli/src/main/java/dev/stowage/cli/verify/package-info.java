/** Runs of models in planned memory. */
package dev.stowage.cli.verify;
