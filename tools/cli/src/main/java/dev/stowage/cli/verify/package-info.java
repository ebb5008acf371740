/**
 * Runs of models in planned memory, for one shape ({@link VerifyRunner}) or several ({@link
 * ShapesVerifyRunner}).
 */
package dev.stowage.cli.verify;
